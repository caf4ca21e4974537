import { Dexie, liveQuery } from 'dexie';

/** The part of Dexie that a journal needs. */
export const code = [Dexie, liveQuery];
