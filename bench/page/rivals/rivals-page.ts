import type { Samples } from '../bench-page.ts';

/** Dexie has no sync: what it is asked to load or to send, it stores. */
export const rivalNames = ['ours', 'dexie', 'firestore'] as const;
export type RivalName = (typeof rivalNames)[number];

/** The journal of the one dog of an owner, on a server of its own. */
export interface Journal {
  /** Of the backend. */
  readonly url: string;
  readonly email: string;
  readonly password: string;
  /** Entries on the server. */
  readonly count: number;
}

/** What the page does when the runner asks it to, for one journal in its life. Times are milliseconds. */
export interface RivalsPage {
  /** From nothing on the device until all of the journal is stored. */
  load(rival: RivalName, journal: Journal): Promise<number>;
  /** From nothing open until the newest 50 are read. */
  coldOpen(rival: RivalName, journal: Journal): Promise<number>;
  /** Until a note is stored on the device. */
  inserts(journal: Journal, turns: number): Promise<Samples<RivalName>>;
  /** Until the newest 50, watched, begin with the note. */
  insertsSeen(journal: Journal, turns: number): Promise<Samples<RivalName>>;
  /** Keeps all of the journal in memory, live. */
  holdAll(rival: RivalName, journal: Journal): Promise<void>;
  /** Sends so many entries that were written without a connection. */
  push(rival: RivalName, journal: Journal, count: number): Promise<number>;
  /** Closes what is open, so that the next page finds nobody in its way. */
  leave(): Promise<void>;
}

declare global {
  interface Window {
    readonly rivals: RivalsPage;
  }
}
