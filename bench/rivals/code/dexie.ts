import { Dexie, liveQuery } from 'dexie';

/** What a journal that is stored with Dexie needs of it. */
export const code = [Dexie, liveQuery];
