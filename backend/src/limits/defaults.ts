const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/**
 * The limits of one owner, of one network address and of all together, each with its reason; `createBackend` takes others.
 *
 * - `owner` is who is signed in, `stranger` an address without a sign-in, `address` everybody at one address (an owner's
 *   household, or an office), `all` the whole process.
 * - A rate is a bucket: `burst` at once, then one every `everyMs`.
 */
export const DEFAULT_LIMITS = {
  /**
   * Bodies that are kept while they arrive. An owner may send the largest batch twice at once; a stranger one recording
   * for a function and a few handshakes.
   */
  bodyBytes: { owner: 64 * MIB, stranger: 16 * MIB, address: 128 * MIB, all: 256 * MIB },
  /** Answers of Firestore and lists of files that are not read yet. Eight pages of large documents, then a slow reader waits. */
  answerBytes: { owner: 32 * MIB, stranger: 16 * MIB, address: 128 * MIB, all: 256 * MIB },
  /** Two for each tab of ten devices, and as many that a lost connection left behind. Each takes some kilobytes. */
  sessions: { owner: 60, stranger: 100, address: 2000, all: 5000 },
  /** Messages that wait for their turn or their reader. One slow phone may have the snapshot of a whole journal to read. */
  channelBytes: { owner: 64 * MIB, stranger: 16 * MIB, address: 128 * MIB, all: 256 * MIB },
  /** Live queries, few a tab. Each takes a decision of the rules at a commit that concerns it. */
  targets: { owner: 500, stranger: 500, address: 10_000, all: 20_000 },
  /** Requests of Storage, each with an open file: as many as a browser sends over one connection of HTTP/2. */
  transfers: { owner: 100, stranger: 100, address: 300, all: 400 },
  /** A browser opens six, a household has twenty. The process may have fewer, see `connection-limit.ts`. */
  connections: { owner: 256, stranger: 256, address: 256, all: 10_000 },
  /** Passwords that wait to be hashed. Addresses take turns, so a long queue of one delays no other. */
  passwords: { owner: 100, stranger: 100, address: 100, all: 2000 },

  /** Wrong passwords for one account from one address: an attacker elsewhere does not lock the owner out. */
  wrongPasswords: { burst: 10, everyMs: 30 * SECOND_MS },
  /** Wrong passwords from one address, against one password for many accounts. */
  wrongPasswordsOfAddress: { burst: 100, everyMs: 5 * SECOND_MS },
  /** As hosted, so that nobody fills the disk with accounts. Programs on this very machine make as many as they like. */
  newAccounts: { burst: 100, everyMs: 36 * SECOND_MS },
  /** A mailbox is not flooded, and a forgetful owner gets another mail. */
  resetMails: { burst: 5, everyMs: 10 * MINUTE_MS },
  resetMailsOfAddress: { burst: 30, everyMs: MINUTE_MS },
  /**
   * Milliseconds of the only thread. A first sync of ten years takes two seconds; a quarter of the thread for ever is more
   * than any device asks for.
   */
  work: { burst: 10 * SECOND_MS, everyMs: 4 },

  /** The time that the listeners of one owner may take at one commit. Above it the stream ends, and resumes when there is time. */
  workPerCommitMs: 200,
  /** A batch of one document of 1 MiB is eight times larger encoded as a form; hosted Firestore takes 10 MiB. */
  requestBytes: 10 * MIB,
  /** The longest call of Auth is a Google sign-in of a few kilobytes. */
  authRequestBytes: 100_000,
  /** Listeners are added in requests of some kilobytes; handshakes carry a token. */
  listenRequestBytes: 2_000_000,
  /** One request may carry several batches, and form encoding makes up to three bytes of one. */
  writeRequestBytes: 60 * MIB,
  /** A live query with thirty values of usual size has 3 KB. It is kept while it is listened to. */
  targetBytes: 64 * KIB,
  /** Read and thrown away after a refusal, since a client that still sends sees no answer: a file of the largest size. */
  discardedBytes: 130 * MIB,
  /** Bodies and files must move by `stalledBytes` in this time: 1 KB/s, less than the slowest phone network. */
  stalledBodyMs: 15 * SECOND_MS,
  stalledBodyBytes: 15_000,
  /** A download is seen to move when 64 KiB of it have left. */
  stalledFileMs: MINUTE_MS,
  /** A session without a sign-in and without a connection. A page that is in use comes back at once. */
  strangerIdleMs: 10 * SECOND_MS,

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

type Wide<Value> = Value extends number
  ? number
  : { readonly [Name in keyof Value]: Wide<Value[Name]> };

export type Limits = Wide<typeof DEFAULT_LIMITS>;
