import type { FirebaseApp } from 'firebase/app';
import type { Journal } from './rivals-page.ts';

/** A journal on this device, as one storage implementation keeps it. */
export interface Rival {
  /** Prepares for a load onto an empty device; not measured. */
  prepare?(): Promise<void>;
  /** @returns how many entries were stored. */
  load(): Promise<number>;
  /** Does the work that makes a later open as fast as possible; not measured. */
  settle?(): Promise<void>;
  /** @returns how many entries were read. */
  readNewest(): Promise<number>;
  /** @returns how many entries are held. */
  holdAll(): Promise<number>;
  /** Opens the journal for writing, and watches its newest 50 if `isWatched`. */
  open(isWatched: boolean): Promise<OpenJournal>;
  /** Writes entries without a connection. */
  fillWaiting(count: number): Promise<void>;
  /** Resolves when the server has all of them. */
  send(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenJournal {
  /** Resolves when the note is stored, or, if they are watched, is the first of the newest 50. */
  add(): Promise<void>;
}

export interface RivalOwner {
  readonly app: FirebaseApp;
  readonly uid: string;
  readonly journal: Journal;
}

export type OpenRival = (owner: RivalOwner) => Rival;
