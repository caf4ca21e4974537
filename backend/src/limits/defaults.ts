const MIB = 1024 * 1024;

/** The limits of one owner and of the store, each with its reason; `createBackend` takes others. */
export const DEFAULT_LIMITS = {
  /** Fifty years of ten journal entries a day, and a bound on what one account adds to every index. */
  maxDocumentsPerOwner: 200_000,
  /** 1,300 bytes for each of them, which is twice the size of a usual entry. */
  maxDocumentBytesPerOwner: 256 * MIB,
  /** A picture and a recording for each entry of ten years with three entries a day. */
  maxFilesPerOwner: 20_000,
  /** Ten thousand pictures of 200 KB and as many recordings of a minute. */
  maxFileBytesPerOwner: 4096 * MIB,
  /** Room for deletions, accounts and the change log after creations and uploads are refused. */
  reservedDiskBytes: 64 * MIB,
  /** Decoded documents: about 20,000 of 700 bytes, so that the owners of an hour are read once. */
  documentCacheBytes: 64 * MIB,
  /** A query of so few documents needs no index: looking at all of them takes less than a millisecond. */
  unindexedDocuments: 200,
} as const;

export type Limits = { readonly [Name in keyof typeof DEFAULT_LIMITS]: number };
