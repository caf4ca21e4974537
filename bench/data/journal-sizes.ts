/** Entries in the journals that are measured. */
export const noneStored = 0;
export const fewStored = 1_000;
export const manyStored = 10_000;
