import type { OutboxJob, OutboxKind } from '../../schemas/outbox-job.ts';

/**
 * May a file go?
 *
 * - `ready`: what it belongs to is on the server.
 * - `wait`: not yet; it is looked at again when documents were synced.
 * - `drop`: what it belongs to is gone, and cannot come back.
 */
export type Readiness = 'ready' | 'wait' | 'drop';

/** What a kind of file does besides being uploaded. Each step may be repeated after a crash. */
export interface JobPolicy {
  readiness(job: OutboxJob): Promise<Readiness>;
  /**
   * Looks at the file that an upload would take the place of, and keeps what must not be lost of it.
   * @returns its hash, the only one that may be overwritten; null if there is none. Without it any file may be.
   */
  prepare?(job: OutboxJob, signal: AbortSignal): Promise<string | null>;
  /** Tells the documents of this device that the server has the file. @returns false if what it belongs to is gone. */
  settle(job: OutboxJob): Promise<boolean>;
  /**
   * Has a machine listen to what was uploaded, and writes down what it heard. Without it there is nothing to hear.
   * @returns false if what it belongs to is gone.
   */
  transcribe?(job: OutboxJob, signal: AbortSignal): Promise<boolean>;
  /** An upload has arrived whose job was removed or replaced meanwhile. */
  leave?(job: OutboxJob): Promise<void>;
  /** Lets go of job and bytes, together, once nothing more can be asked of them. */
  complete(job: OutboxJob, signal: AbortSignal): Promise<void>;
  /** As {@link complete}, for a job whose readiness is `drop`. */
  drop(job: OutboxJob): Promise<void>;
}

export type JobPolicies = Readonly<Partial<Record<OutboxKind, JobPolicy>>>;
