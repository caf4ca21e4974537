import type { Listener } from '../speech/listener.ts';
import type { TaskQueue } from '../speech/task-queue.ts';

/** The part of a pet's document that transcription needs. */
export interface PetFacts {
  readonly ownerId: string;
  readonly name: string | null;
  readonly breed: string | null;
}

/** The product's files, accessed without security rules. */
export interface AudioFiles {
  /** Returns the size in bytes; null if there is no such file. */
  size(name: string): Promise<number | null>;
  /** Returns null if there is no such file. */
  read(name: string): Promise<Uint8Array | null>;
}

/** Limits the rate of each user's requests, over all instances of the function. */
export interface RateLimiter {
  /** @returns 0 if the request may proceed, otherwise the milliseconds to wait; a refused request is not counted. */
  charge(uid: string): Promise<number>;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** @returns a function that cancels. */
  after(delayMs: number, run: () => void): () => void;
}

/** Logs ids, codes and numbers only; never a name, a hint or a transcript. */
export type TranscriptionLog = (
  event: string,
  fields: Readonly<Record<string, string | number>>,
) => void;

/**
 * The recordings that one process transcribes at a time. One of the largest takes 60 MB with its base64 and the body of a
 * request, or 20 MB with its samples and 50 MB for the decoder; a process has 512 MB.
 */
export const maxConcurrent = 4;

export interface TranscriptionPorts {
  /** Returns null for a token that is invalid or expired. */
  verifyToken(idToken: string): Promise<{ readonly uid: string } | null>;
  /** Whether App Check accepts the token. Absent if it is not enforced. @param appToken null if none was sent. */
  readonly isFromApp?: (appToken: string | null) => Promise<boolean>;
  /** Returns null if there is no such pet. */
  readPet(petId: string): Promise<PetFacts | null>;
  readonly files: AudioFiles;
  readonly limiter: RateLimiter;
  /** Lets {@link maxConcurrent} recordings be in memory at a time; the others wait without their bytes. */
  readonly inTurn: TaskQueue;
  /** null without an engine. */
  readonly listener: Listener | null;
  readonly clock: Clock;
  readonly log: TranscriptionLog;
}
