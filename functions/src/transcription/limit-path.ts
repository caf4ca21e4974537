/** Where the hosted function keeps what a user has asked for; rules let no client see it. */
export const transcriptionLimitPath = (uid: string): string => `transcriptionLimits/${uid}`;
