/** An item that another app has shared, kept on this device until its owner has put it somewhere. */
export interface SharedItem {
  readonly id: string;
  /** Epoch milliseconds of this device's clock. */
  readonly createdAtMs: number;
  /** The title, text and address, as far as they were shared. */
  readonly texts: readonly string[];
  readonly files: readonly SharedFile[];
  /** The owner: the first whose session has seen it. Absent until then. */
  readonly owner?: string;
}

export interface SharedFile {
  /** Random. An audio file becomes the voice note of this id, so an import is idempotent. */
  readonly id: string;
  readonly name: string;
  /** The type that the other app declares, which may differ from the bytes. */
  readonly contentType: string;
  /** null if it is too large, neither a picture nor audio, or beyond the first {@link sharedMaxFiles}. */
  readonly bytes: ArrayBuffer | null;
}

/** The path to which the system posts shared items; the page at the same path continues. */
export const sharePath = '/quick/share';

/** The names of the form fields, as the manifest declares them. */
export const shareFields = { title: 'title', text: 'text', url: 'url', files: 'files' } as const;

/** The value in the page's address in place of an id, if this device had no room for the item. */
export const shareNotKept = 'none';

export const sharedKeptMs = 7 * 24 * 3_600_000;
/** The limit of one file, which is that of a picture that can be opened. */
export const sharedFileMaxBytes = 64 * 1_024 * 1_024;
/** The number of files of one item that are stored; of the others, the names are. */
export const sharedMaxFiles = 10;
/** The longest audio that is kept as a voice note, which is the longest that can be transcribed. */
export const sharedSoundMaxMs = 120_000;
