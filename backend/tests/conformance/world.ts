import type { DocumentData, Firestore, FirestoreSettings, Query } from 'firebase/firestore';
import type * as Sdk from '../browser/sdk.ts';

/**
 * A test case. It is identified by its name and uses only the public interface of the SDK, so that it runs in Node and in
 * a browser, and a shared case with `firebase/firestore/lite` as well.
 */
export interface Case<Name extends keyof typeof Sdk = keyof typeof Sdk> {
  readonly name: string;
  run(world: World<Name>): Promise<void>;
}

/** The exports that `firebase/firestore` and `firebase/firestore/lite` share. */
export type SharedName =
  | 'Bytes'
  | 'GeoPoint'
  | 'Timestamp'
  | 'addDoc'
  | 'and'
  | 'arrayRemove'
  | 'arrayUnion'
  | 'average'
  | 'collection'
  | 'collectionGroup'
  | 'count'
  | 'deleteDoc'
  | 'deleteField'
  | 'doc'
  | 'documentId'
  | 'endAt'
  | 'endBefore'
  | 'getAggregateFromServer'
  | 'getCountFromServer'
  | 'getDoc'
  | 'getDocs'
  | 'increment'
  | 'limit'
  | 'limitToLast'
  | 'or'
  | 'orderBy'
  | 'query'
  | 'runTransaction'
  | 'serverTimestamp'
  | 'setDoc'
  | 'startAfter'
  | 'startAt'
  | 'sum'
  | 'updateDoc'
  | 'vector'
  | 'where'
  | 'writeBatch';

export type SharedCase = Case<SharedName>;

export interface World<Name extends keyof typeof Sdk = keyof typeof Sdk> {
  readonly sdk: Pick<typeof Sdk, Name>;
  readonly db: Firestore;
  /** Another client, whose writes are not in the cache of `db`. */
  readonly writer: Firestore;
  /** The path of a collection that only this case uses. */
  readonly at: string;
  /** Connects a client of another user, which is closed when the case ends. */
  readonly connect: (settings?: FirestoreSettings) => Promise<Firestore>;
}

export const idsOf = (result: { docs: readonly { id: string }[] }): string =>
  result.docs.map((each) => each.id).join(' ');

/** Writes documents by id, in one commit. */
export async function fill(
  { sdk, db, at }: Pick<World<'writeBatch' | 'doc'>, 'sdk' | 'db' | 'at'>,
  documents: Record<string, DocumentData>,
): Promise<void> {
  const batch = sdk.writeBatch(db);
  for (const [id, data] of Object.entries(documents)) batch.set(sdk.doc(db, at, id), data);
  await batch.commit();
}

/** Records the results of a live query as texts of ids; `until` waits for a text. */
export function watchQuery(sdk: Pick<typeof Sdk, 'onSnapshot'>, query: Query) {
  const seen: string[] = [];
  const errors: string[] = [];
  const stop = sdk.onSnapshot(
    query,
    { includeMetadataChanges: true },
    (snapshot) => {
      const { fromCache, hasPendingWrites } = snapshot.metadata;
      if (!fromCache && !hasPendingWrites) seen.push(idsOf(snapshot));
    },
    (error) => errors.push(error.code),
  );
  const until = (ids: string) => eventually(() => same(seen.at(-1), ids));
  return { seen, errors, stop, until };
}

const patienceMs = 30_000;

/** Retries until the check does not throw; the time limit allows for a busy machine. */
export async function eventually(check: () => unknown): Promise<void> {
  const endMs = Date.now() + patienceMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > endMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function same(actual: unknown, expected: unknown): void {
  const [found, wanted] = [show(actual), show(expected)];
  if (found !== wanted) throw new Error(`found ${found}, expected ${wanted}`);
}

/** The codes of an invalid argument; `lite` derives its code from the HTTP status 400 alone. */
export const invalid = ['invalid-argument', 'failed-precondition'];

/** Fails unless the promise rejects with the code, or with one of several. */
export async function refused(
  promise: Promise<unknown>,
  code: string | readonly string[],
): Promise<void> {
  const outcome = await promise.then(
    () => 'fulfilled',
    (error: unknown) =>
      typeof error === 'object' && error !== null && 'code' in error ? error.code : error,
  );
  const expected = [code].flat();
  same(expected.includes(String(outcome)) ? outcome : { outcome }, outcome);
}

/** Returns a canonical text of a value: sorted keys, and numbers that JSON cannot express. */
function show(value: unknown): string {
  return (
    JSON.stringify(value, (_key, each: unknown) => {
      if (typeof each === 'number' && (!Number.isFinite(each) || Object.is(each, -0))) {
        return `number ${Object.is(each, -0) ? '-0' : each}`;
      }
      if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
      return Object.fromEntries(
        Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)),
      );
    }) ?? 'undefined'
  );
}
