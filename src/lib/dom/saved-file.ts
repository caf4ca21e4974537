/**
 * The fate of a file that was handed to its owner. `needs-tap`: the browser wants another tap first. `cancelled`: the owner
 * closed the system's sheet without saving.
 */
export type SaveOutcome = 'saved' | 'shared' | 'cancelled' | 'needs-tap' | 'failed';

export interface SaveOptions {
  /** Aborted, the save rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How much of it is written, from 0 to 1. A download tells nothing. */
  readonly onProgress?: (part: number) => void;
}
