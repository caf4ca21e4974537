import type { Samples } from '../bench-page.ts';

/** Dexie has no sync: it only stores the entries that it should load or send. */
export const rivalNames = ['ours', 'dexie', 'firestore'] as const;
export type RivalName = (typeof rivalNames)[number];

/** The journal of an owner's only pet, on a server of its own. */
export interface Journal {
  /** The URL of the backend. */
  readonly url: string;
  readonly email: string;
  readonly password: string;
  /** The number of entries on the server. */
  readonly count: number;
}

/** The functions of the page that the runner calls, each page for one journal. Times are milliseconds. */
export interface RivalsPage {
  /** Measures from an empty device until all of the journal is stored. */
  load(rival: RivalName, journal: Journal): Promise<number>;
  /** Measures from nothing open until the newest 50 are read. */
  coldOpen(rival: RivalName, journal: Journal): Promise<number>;
  /** Measures until a note is stored on the device. */
  inserts(journal: Journal, turns: number): Promise<Samples<RivalName>>;
  /** Measures until a live list of the newest 50 begins with the note. */
  insertsSeen(journal: Journal, turns: number): Promise<Samples<RivalName>>;
  /** Keeps all of the journal in memory, live. */
  holdAll(rival: RivalName, journal: Journal): Promise<void>;
  /** Measures the push of `count` entries that were written offline. */
  push(rival: RivalName, journal: Journal, count: number): Promise<number>;
  /** Closes the open databases, so that they block no later page. */
  leave(): Promise<void>;
}

declare global {
  interface Window {
    readonly rivals: RivalsPage;
  }
}
