/** What of the journal is exported. `unsent` is what only this device has, with the dogs that it belongs to. */
export type ExportScope =
  | { readonly kind: 'everything' }
  | { readonly kind: 'unsent' }
  | { readonly kind: 'pet'; readonly petId: string };

/** Journal entries of all that are to be read or written. */
export interface TransferProgress {
  readonly done: number;
  readonly total: number;
}

export interface TransferOptions {
  /** Aborted, it rejects with the signal's reason. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TransferProgress) => void;
}

export interface Contents {
  readonly pets: number;
  readonly notes: number;
  readonly voiceNotes: number;
}

export interface FinishedExport extends Contents {
  readonly fileName: string;
  readonly zip: Blob;
  /** Recordings and pictures that are not in it: not on this device, and not to be had from the server. */
  readonly missingFiles: number;
}

/** What a chosen file would bring. Nothing has been written yet. */
export interface ImportPreview extends Contents {
  /** Epoch milliseconds. */
  readonly exportedAtMs: number;
  /** Recordings and pictures in it. */
  readonly files: number;
  /** Of the dogs and entries: on this device already, so that they stay as they are. */
  readonly known: number;
  /** Of them: deleted here since, so that they come back as new ones. */
  readonly returning: number;
  /** In the file, and not understood. */
  readonly unreadable: number;
  /** Whole entries without a dog to go to. */
  readonly withoutPet: number;
  readonly isOtherAccount: boolean;
}

export interface FinishedImport extends Contents {
  /** Dogs and entries that were on this device already. */
  readonly known: number;
  /** Recordings and pictures that were damaged in the file, or of a type that is not taken. */
  readonly unreadableFiles: number;
}

export interface OpenImport {
  readonly preview: ImportPreview;
  /**
   * Writes it piece by piece; whatever is there already stays as it is, so that one that was cut off is completed by
   * another. @throws {CommandError}
   */
  readonly run: (options: TransferOptions) => Promise<FinishedImport>;
}

/** Takes the journal out into a file, and in again. Needs no connection; with one, it fetches what is not here. */
export interface Transfers {
  /** @throws {CommandError} */
  exportZip(scope: ExportScope, options: TransferOptions): Promise<FinishedExport>;
  /** @throws {CommandError} with a sentence if it is no file of ours, or harmful; nothing was changed then. */
  openImport(file: Blob): Promise<OpenImport>;
}
