/** The part of the journal that is exported. `unsent` is the data that only this device has, with its dogs. */
export type ExportScope =
  | { readonly kind: 'everything' }
  | { readonly kind: 'unsent' }
  | { readonly kind: 'pet'; readonly petId: string };

/** The progress in journal entries, of all that are read or written. */
export interface TransferProgress {
  readonly done: number;
  readonly total: number;
}

export interface TransferOptions {
  /** Aborting it ends the transfer, which rejects. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TransferProgress) => void;
}

/** The name that stands for a dog that is gone. */
export const dogless = 'Notes without a dog';

export interface Contents {
  readonly pets: number;
  readonly notes: number;
  readonly voiceNotes: number;
}

export interface FinishedExport extends Contents {
  readonly drafts: number;
  readonly otherVersions: number;
  readonly fileName: string;
  readonly zip: Blob;
  /** The number of recordings and pictures that could not be had whole, or would have made the file too large. */
  readonly missingFiles: number;
  /** Whether this device had not fetched all of the journal yet. */
  readonly isPartial: boolean;
}

/** The contents of a chosen file, and their effect. Nothing is written yet. */
export interface ImportPreview extends Contents {
  /** Epoch milliseconds. */
  readonly exportedAtMs: number;
  /** The number of recordings and pictures in the file. */
  readonly files: number;
  /** The number of dogs and entries that this device already has. They stay as they are. */
  readonly known: number;
  /** The number of dogs and entries that were deleted here. They come back under new ids. */
  readonly returning: number;
  /** The number of dogs and entries in the file that cannot be read. */
  readonly unreadable: number;
  /** The number of readable entries that are new here, and whose dog the file lacks. They get one dog. */
  readonly withoutPet: number;
  /** The number of other versions and drafts, which are not imported. */
  readonly unsaved: number;
  readonly isOtherAccount: boolean;
  /** Whether this device does not have the whole journal yet, so that it may not know of deletions. */
  readonly isPartial: boolean;
}

export interface FinishedImport extends Contents {
  /** The number of dogs and entries that this device already had. */
  readonly known: number;
  /** The number of those of which the file had a later or unsent text, or another picture, which is kept as a conflict version. */
  readonly otherVersions: number;
  /** The number of their recordings and pictures that this device lacked. */
  readonly lostFiles: number;
  /** The number of recordings and pictures that were damaged, or of a type that is not accepted. */
  readonly unreadableFiles: number;
}

export interface OpenImport {
  readonly preview: ImportPreview;
  /**
   * Writes the contents piece by piece. Existing documents stay as they are, so that a second import completes an
   * interrupted one; what the file has later, or had not sent, becomes a conflict version. A file that they lack here is stored, and sent
   * if the server lacks it too. @throws {CommandError} if a write fails.
   */
  readonly run: (options: TransferOptions) => Promise<FinishedImport>;
}

/** Exports and imports the journal. No connection is needed; with one, an export also fetches missing files. */
export interface Transfers {
  /** Exports a zip file. @throws {CommandError} if it fails. */
  exportZip(scope: ExportScope, options: TransferOptions): Promise<FinishedExport>;
  /** Reads a file without importing it. @throws {CommandError} with a sentence if the file is no export, or harmful. */
  openImport(file: Blob): Promise<OpenImport>;
}
