/** What another app has shared, kept on this device until its owner has put it somewhere. */
export interface SharedItem {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
  /** Title, text and address, as far as they came with it. */
  readonly texts: readonly string[];
  readonly files: readonly SharedFile[];
  /** The owner it belongs to: the first whose session has seen it. Absent until then. */
  readonly owner?: string;
}

export interface SharedFile {
  /** Random; a sound becomes the voice note of this id, and so becomes it once. */
  readonly id: string;
  readonly name: string;
  /** As the other app names it: its bytes may say something else. */
  readonly contentType: string;
  /** null: larger than what is kept, or neither a picture nor a sound. */
  readonly bytes: ArrayBuffer | null;
}

/** Where the system hands over what is shared; the page of the same address goes on with it. */
export const sharePath = '/quick/share';

/** Names of the fields in which the system hands it over, as the manifest declares them. */
export const shareFields = { title: 'title', text: 'text', url: 'url', files: 'files' } as const;

/** In the page's address in the place of an id: this device had no room for it. */
export const shareNotKept = 'none';

export const sharedKeptMs = 7 * 24 * 3_600_000;
/** Of one file: as large as a picture that can be opened. */
export const sharedFileMaxBytes = 64 * 1_024 * 1_024;
/** Of one item; what comes after them is left out. */
export const sharedMaxFiles = 10;
/** Of a sound that is kept as a voice note: as long as it can be turned into words. */
export const sharedSoundMaxMs = 120_000;
