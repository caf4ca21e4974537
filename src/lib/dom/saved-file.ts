/**
 * The outcome of saving a file. `needs-tap`: the browser requires another tap first. `cancelled`: the owner closed the
 * system's sheet without saving.
 */
export type SaveOutcome = 'saved' | 'shared' | 'cancelled' | 'needs-tap' | 'failed';

export interface SaveOptions {
  /** Aborting it rejects the save with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called with the written part, from 0 to 1. A download reports nothing. */
  readonly onProgress?: (part: number) => void;
}
