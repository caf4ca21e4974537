import type { LocalDocument } from '../../schemas/documents/document.ts';
import type { OutboxJob, OutboxKind } from '../../schemas/local/outbox-job.ts';
import type { Ledger } from './ledger.ts';

/** A job whose next stage may begin, with the state that this decision was based on. */
export interface JobAtHand {
  readonly job: OutboxJob;
  /** Its live pet or entry. */
  readonly document: LocalDocument;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
}

/** The steps of one kind of file besides its upload. Each step is idempotent, so it may be repeated after a crash. */
export interface JobPolicy {
  /**
   * Checks the file that an upload would replace, and keeps a copy if it must not be lost.
   * @param md5 of the bytes to upload, in base64.
   * @returns its hash, the only one that may be overwritten; null if there is none.
   */
  prepare(at: JobAtHand, md5: string): Promise<string | null>;
  /** Records in the local document that the server has the file. @returns false if that document is gone. */
  settle(at: JobAtHand): Promise<boolean>;
  /**
   * Requests a transcript of the uploaded file, and stores it. Kinds without a transcript leave it out.
   * @returns false if the document is gone.
   */
  transcribe?(at: JobAtHand): Promise<boolean>;
  /** Records in the local document that the server makes no transcripts, without asking it. */
  unheard?(job: OutboxJob): Promise<unknown>;
  /** Handles an upload that succeeded after its job was removed or replaced. */
  leave?(job: OutboxJob): Promise<void>;
  /** Removes the job and its bytes in one commit, once neither is needed any more. */
  complete(at: JobAtHand): Promise<void>;
}

export type JobPolicies = Readonly<Record<OutboxKind, JobPolicy>>;
