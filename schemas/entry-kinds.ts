export const journalEntryTypes = ['note', 'voice-note'] as const;

/** How far the text of a voice note is: a person's own words are `edited` and win over any transcript. */
export const transcriptStates = ['waiting', 'done', 'none', 'failed', 'edited'] as const;
