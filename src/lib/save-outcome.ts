/**
 * The fate of a file that was handed to its owner. `needs-tap`: the browser wants another tap first. `cancelled`: the owner
 * closed the system's sheet without saving.
 */
export type SaveOutcome = 'saved' | 'shared' | 'cancelled' | 'needs-tap' | 'failed';
