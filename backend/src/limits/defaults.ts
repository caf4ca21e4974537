const kib = 1024;
const mib = 1024 * kib;
const secondMs = 1000;
const minuteMs = 60 * secondMs;

/**
 * The default limits, each with its reason; `createBackend` takes others.
 *
 * - `owner` is the limit of a signed-in user, `stranger` of an address without a sign-in, `address` of all clients at one
 *   address (a household, or an office), `all` of the whole process.
 * - A rate is a leaky bucket: `burst` at once, then one every `everyMs`.
 */
export const defaultLimits = {
  /**
   * Bodies that are buffered while they arrive. An owner can send the largest batch twice at once; a stranger one recording
   * for a function and a few handshakes.
   */
  bodyBytes: { owner: 64 * mib, stranger: 16 * mib, address: 128 * mib, all: 256 * mib },
  /** Answers that a client has not read yet, except uploaded files. An owner's limit is eight pages of large documents. */
  answerBytes: { owner: 32 * mib, stranger: 16 * mib, address: 128 * mib, all: 256 * mib },
  /** Two for each tab of ten devices, and as many left over from lost connections. Each takes some kilobytes. */
  sessions: { owner: 60, stranger: 100, address: 2000, all: 5000 },
  /** Messages that wait to be delivered. One slow phone may have the snapshot of a whole journal to read. */
  channelBytes: { owner: 64 * mib, stranger: 16 * mib, address: 128 * mib, all: 256 * mib },
  /** Live queries, a few per tab. Each evaluates the rules at a commit that concerns it. */
  targets: { owner: 500, stranger: 500, address: 10_000, all: 20_000 },
  /**
   * The memory for live queries: for the queries themselves, for the paths of the documents in the window of a query with a
   * limit, and for the paths of the changed documents while a listener resumes.
   * Five devices of an owner may resume after an import of 20,000 entries, or 500 queries of sixty values be open.
   */
  listenBytes: { owner: 32 * mib, stranger: 16 * mib, address: 128 * mib, all: 256 * mib },
  /** Requests of Storage, each with an open file: as many as a browser sends over one connection of HTTP/2. */
  transfers: { owner: 100, stranger: 100, address: 300, all: 400 },
  /**
   * Requests that are not answered yet, each with a head of up to 16 KiB. Each tab has two that are always open: those of as
   * many sessions as an address may have, and as many short ones as its browsers send meanwhile.
   */
  requests: { owner: 2500, stranger: 2500, address: 2500, all: 6000 },
  /** A browser opens six, a household twenty. The process may allow fewer, see `connection-limit.ts`. */
  connections: { owner: 256, stranger: 256, address: 256, all: 10_000 },
  /** Passwords that wait to be hashed. Addresses take turns, so the long queue of one delays no other. */
  passwords: { owner: 100, stranger: 100, address: 100, all: 2000 },

  /** Wrong passwords for one account from one address, so an attacker elsewhere cannot lock the owner out. */
  wrongPasswords: { burst: 10, everyMs: 30 * secondMs },
  /** Wrong passwords from one address, against attacks that try one password on many accounts. */
  wrongPasswordsOfAddress: { burst: 100, everyMs: 5 * secondMs },
  /** The limit of hosted Firebase, which keeps accounts from filling the disk. Programs on this machine have none. */
  newAccounts: { burst: 100, everyMs: 36 * secondMs },
  /** Low enough not to flood a mailbox, and enough for an owner who needs another mail. */
  resetMails: { burst: 5, everyMs: 10 * minuteMs },
  resetMailsOfAddress: { burst: 30, everyMs: minuteMs },
  /** Connections that were cut because a body came byte by byte. Above it, the address cannot connect. */
  cutConnections: { burst: 3, everyMs: minuteMs },
  /**
   * Milliseconds of the only thread. A first sync of ten years takes two seconds; no device needs an eighth of the thread
   * permanently. Once a client has used half of its burst, it rests after each piece of work until the time has leaked out.
   */
  work: { burst: 10 * secondMs, everyMs: 8 },
  /** The limit of an address. A handshake takes a millisecond, so a thousand devices of an office can reconnect at once. */
  workOfStranger: { burst: 2 * secondMs, everyMs: 50 },

  /** The time that the listeners of one owner may take at one commit. Above it, the stream ends and resumes later. */
  workPerCommitMs: 200,
  /** A batch of one document of 1 MiB is eight times larger encoded as a form; hosted Firestore takes 10 MiB. */
  requestBytes: 10 * mib,
  /** A query, or the names of a thousand documents of one kilobyte each; parsing it takes some milliseconds. */
  readRequestBytes: 2 * mib,
  /** The longest call of Auth is a Google sign-in of a few kilobytes. */
  authRequestBytes: 100_000,
  /** Listeners are added in requests of some kilobytes; handshakes carry a token. */
  listenRequestBytes: 2_000_000,
  /** One request may carry several batches, and form encoding makes up to three bytes of one. */
  writeRequestBytes: 60 * mib,
  /** A live query with thirty values of usual size has 3 KB. It is kept in memory while it is open. */
  targetBytes: 64 * kib,
  /** Read and discarded after a refusal, since a client that still sends sees no answer: a file of the largest size. */
  discardedBytes: 130 * mib,
  /** A body must bring `stalledBodyBytes` in this time: 1 KB/s, less than the slowest phone network. */
  stalledBodyMs: 15 * secondMs,
  stalledBodyBytes: 15_000,
  /** A file that is uploaded must bring as much in this time; one that is downloaded must take 64 KiB. */
  stalledFileMs: minuteMs,
  /** The lifetime of a session without a sign-in and a connection. A page in use reconnects at once. */
  strangerIdleMs: 10 * secondMs,

  /** Fifty years of ten journal entries a day; it also limits the entries of one account in every index. */
  maxDocumentsPerOwner: 200_000,
  /** 1,300 bytes for each of them, which is twice the size of a usual entry. */
  maxDocumentBytesPerOwner: 256 * mib,
  /** The largest uploaded file; the app itself takes recordings of 10 MiB. */
  maxUploadBytes: 128 * mib,
  /** A picture and a recording for each entry of ten years with three entries a day. */
  maxFilesPerOwner: 20_000,
  /** Ten thousand pictures of 200 KB and as many recordings of a minute. */
  maxFileBytesPerOwner: 4096 * mib,
  /** Room for deletions, accounts and the change log after creations and uploads are refused. */
  reservedDiskBytes: 64 * mib,
  /** Decoded documents: about 20,000 of 700 bytes, so that documents that are used within an hour are read once. */
  documentCacheBytes: 64 * mib,
  /**
   * Documents that one query sorts in memory because no index does, with their sort keys: 30,000 usual entries, or a page of a
   * hundred of the largest.
   */
  sortedCharacters: 32 * mib,
  /** The limit of `sortedCharacters` for all queries that sort at the same time. */
  allSortedCharacters: 128 * mib,
} as const;

type Wide<Value> = Value extends number
  ? number
  : { readonly [Name in keyof Value]: Wide<Value[Name]> };

export type Limits = Wide<typeof defaultLimits>;
