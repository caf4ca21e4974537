import type { OutboxJob, OutboxKind } from '../../schemas/local/outbox-job.ts';
import type { Ledger } from './ledger.ts';

/** A job whose next stage may begin, with what was read to decide that. */
export interface JobAtHand {
  readonly job: OutboxJob;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
}

/** What a kind of file does besides being uploaded. Each step may be repeated after a crash. */
export interface JobPolicy {
  /**
   * Looks at the file that an upload would take the place of, and keeps what must not be lost of it.
   * @returns its hash, the only one that may be overwritten; null if there is none. Without it any file may be.
   */
  prepare?(at: JobAtHand): Promise<string | null>;
  /** Tells the documents of this device that the server has the file. @returns false if what it belongs to is gone. */
  settle(at: JobAtHand): Promise<boolean>;
  /**
   * Has a machine listen to what was uploaded, and writes down what it heard. Without it there is nothing to hear.
   * @returns false if what it belongs to is gone.
   */
  transcribe?(at: JobAtHand): Promise<boolean>;
  /** An upload has arrived whose job was removed or replaced meanwhile. */
  leave?(job: OutboxJob): Promise<void>;
  /** Lets go of job and bytes, together, once nothing more can be asked of them. */
  complete(at: JobAtHand): Promise<void>;
}

export type JobPolicies = Readonly<Partial<Record<OutboxKind, JobPolicy>>>;
