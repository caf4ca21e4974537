import { FirestoreError, invalidArgument } from '../firestore-error.ts';

export type DatabaseNames = ReturnType<typeof createDatabaseNames>;

/**
 * - Inside the server a path is relative and slash-separated: `pets/rex/journalEntries/1`.
 * - A document path has an even number of segments, a collection path an odd one; the empty path is
 *   the database root.
 * - Full resource names exist only on the wire and in reference values.
 */
export function createDatabaseNames(projectId: string) {
  const databases = `projects/${projectId}/databases/`;
  const database = `${databases}(default)`;
  const documents = `${database}/documents`;
  /** Returns the error for a name outside the one database of the one project. */
  const foreign = (name: unknown) => {
    const text = typeof name === 'string' ? name : '';
    const [id] = text.slice(databases.length).split('/', 1);
    return text.startsWith(databases) && id !== '(default)'
      ? new FirestoreError('NOT_FOUND', `The database ${id} does not exist.`)
      : invalidArgument(`A resource name must begin with "${documents}".`);
  };
  /** Returns the path in a name, unchecked; undefined for a name outside the database. */
  const pathIn = (name: unknown): string | undefined =>
    typeof name === 'string' && name.startsWith(`${documents}/`)
      ? name.slice(documents.length + 1)
      : undefined;
  /** Returns the path of the parent of a query: the root or a document. */
  const toParentPath = (name: unknown) => {
    if (name === documents || name === database) return '';
    const path = pathIn(name);
    if (path === undefined) throw foreign(name);
    return checkDocumentPath(path);
  };
  return {
    database,
    documents,
    toName: (path: string) => (path === '' ? documents : `${documents}/${path}`),
    pathIn,
    toParentPath,
    foreign,
    /** Whether a reference names a document of this database; its id may be one that no document can have. */
    isDocumentName(name: string): boolean {
      const segments = pathIn(name)?.split('/') ?? [''];
      return segments.length % 2 === 0 && !segments.includes('');
    },
    /** @throws {FirestoreError} NOT_FOUND for another database, INVALID_ARGUMENT for a malformed document path. */
    toDocumentPath(name: unknown) {
      const path = toParentPath(name);
      if (path === '') throw invalidArgument('A document name lacks its path.');
      return path;
    },
  };
}

const maxSegmentBytes = 1500;
/** The limit of a path, and of a full resource name. */
export const maxNameBytes = 6144;
export const maxSegments = 100;
const numericId = /^__id-?\d{1,19}__$/;

export function checkDocumentPath(path: string): string {
  const segments = path.split('/', maxSegments * 2 + 1);
  if (segments.length > maxSegments * 2 || Buffer.byteLength(path) > maxNameBytes) {
    throw invalidArgument('A document path is too long.');
  }
  if (segments.length % 2 !== 0) {
    throw invalidArgument('A document path must have an even number of segments.');
  }
  for (const segment of segments) checkSegment(segment);
  return path;
}

export function checkSegment(segment: string): string {
  if (Buffer.byteLength(segment) > maxSegmentBytes) {
    throw invalidArgument(`A path segment is longer than ${maxSegmentBytes} bytes.`);
  }
  if (segment === '' || segment === '.' || segment === '..' || segment.includes('/')) {
    throw invalidArgument('A path has an empty or a relative segment.');
  }
  // A lone surrogate has no UTF-8 encoding: on the disk all such ids would be the same.
  if (/\p{Cs}/u.test(segment)) throw invalidArgument('A path segment is not valid Unicode.');
  if (/^__.*__$/su.test(segment) && !numericId.test(segment)) {
    throw invalidArgument('A path segment of the form __.*__ is reserved.');
  }
  return segment;
}

/** `pets/rex/journalEntries` for `pets/rex/journalEntries/1`. */
export const collectionOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** `journalEntries` for `pets/rex/journalEntries/1`. */
export function collectionIdOf(path: string): string {
  const collection = collectionOf(path);
  return collection.slice(collection.lastIndexOf('/') + 1);
}

/** `pets/rex` for `pets/rex/journalEntries/1`, the empty path for `pets/rex`. */
export function parentOf(path: string): string {
  const collection = collectionOf(path);
  const slash = collection.lastIndexOf('/');
  return slash === -1 ? '' : collection.slice(0, slash);
}
