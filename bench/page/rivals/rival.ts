import type { FirebaseApp } from 'firebase/app';
import type { Journal } from './rivals-page.ts';

/** A journal as one way of storing it has it on this device. */
export interface Rival {
  /** Before it is loaded onto a device that has nothing of it; not measured. */
  prepare?(): Promise<void>;
  /** @returns how many entries were stored. */
  load(): Promise<number>;
  /** What makes a later open as quick as it can be; not measured. */
  settle?(): Promise<void>;
  /** @returns how many entries were read. */
  readNewest(): Promise<number>;
  /** @returns how many entries are held. */
  holdAll(): Promise<number>;
  /** Opens the journal to be written in, with its newest 50 watched if they are to be. */
  open(isWatched: boolean): Promise<OpenJournal>;
  /** Writes entries without a connection. */
  fillWaiting(count: number): Promise<void>;
  /** Until the server has all of them. */
  send(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenJournal {
  /** Resolves once the note is stored, or, if they are watched, the newest 50 begin with it. */
  add(): Promise<void>;
}

export interface RivalOwner {
  readonly app: FirebaseApp;
  readonly uid: string;
  readonly journal: Journal;
}

export type OpenRival = (owner: RivalOwner) => Rival;
