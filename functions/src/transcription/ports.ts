import type { Listener } from '../speech/listener.ts';

/** As much of a pet's document as transcription needs. */
export interface PetFacts {
  readonly ownerId: string;
  readonly name: string | null;
  readonly breed: string | null;
}

/** The product's files, asked without rules. */
export interface AudioFiles {
  /** In bytes; null: there is no such file. */
  size(name: string): Promise<number | null>;
  /** null: there is no such file. */
  read(name: string): Promise<Uint8Array | null>;
}

/** Counts what each user costs, over all instances of the function. */
export interface RateLimiter {
  /** @returns 0 when it may go on, else after how many milliseconds; a refused request is not counted. */
  charge(uid: string): Promise<number>;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** @returns a function that cancels. */
  after(delayMs: number, run: () => void): () => void;
}

/** Ids, codes and numbers; never a name, a hint, or what was said. */
export type TranscriptionLog = (
  event: string,
  fields: Readonly<Record<string, string | number>>,
) => void;

export interface TranscriptionPorts {
  /** null: not a token of this project, or no longer good. */
  verifyToken(idToken: string): Promise<{ readonly uid: string } | null>;
  /** Whether App Check knows the token. Absent where nobody asks for one. @param appToken null: none was sent. */
  readonly isFromApp?: (appToken: string | null) => Promise<boolean>;
  /** null: there is no such pet. */
  readPet(petId: string): Promise<PetFacts | null>;
  readonly files: AudioFiles;
  readonly limiter: RateLimiter;
  /** null: nothing here can hear. */
  readonly listener: Listener | null;
  readonly clock: Clock;
  readonly log: TranscriptionLog;
}
