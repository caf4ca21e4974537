/** Returns the path of a user's bucket; the rules let no client read it. */
export const transcriptionLimitPath = (uid: string): string => `transcriptionLimits/${uid}`;
