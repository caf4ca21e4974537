import { deleteApp, initializeApp } from 'firebase/app';
import { initializeFirestore, setLogLevel } from 'firebase/firestore/lite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFakeClock, settlePromises } from '../../tests/support/fakes/fake-clock.ts';
import {
  refKey,
  type Head,
  type RemoteDocuments,
  type RemoteWrite,
  type TransactionPlan,
} from '../ports.ts';
import { createFirestoreDocuments } from './firestore-documents.ts';

setLogLevel('silent');

const root = 'projects/demo-pawpals/databases/(default)/documents';
const atTime = '2024-01-01T00:00:00.000000Z';
const head: Head = { head: 4, epoch: 'one' };

/** By the method of Firestore's REST API. */
type Answers = Readonly<
  Partial<
    Record<'batchGet' | 'commit' | 'runQuery' | 'runAggregationQuery', (body: string) => unknown>
  >
>;

const refused = (status: number) => () => new Response('{"error":{}}', { status });

/** Returns the server's answers about documents: `sync/u1` with this content, or none. */
const withHead = (content: unknown) => () => {
  const name = `${root}/sync/u1`;
  if (content === null) return [{ missing: name, readTime: atTime }];
  const fields = Object.fromEntries(
    Object.entries(content ?? {}).map(([field, value]) => [
      field,
      typeof value === 'number' ? { integerValue: String(value) } : { stringValue: value },
    ]),
  );
  const found = { name, fields, createTime: atTime, updateTime: atTime };
  return [{ found, readTime: atTime }];
};

const committed = () => ({ writeResults: [{ updateTime: atTime }], commitTime: atTime });

interface Options {
  readonly answers?: Answers;
  readonly isSignedIn?: boolean;
  /** Whether a web page answers in place of Firestore. */
  readonly isPortal?: boolean;
}

/** A client of a server that gives these answers, each with status 200 unless it is a response. */
function setUp({ answers = {}, isSignedIn = true, isPortal = false }: Options = {}) {
  const asked: { readonly method: string; readonly body: unknown }[] = [];
  const answerOf = new Map(Object.entries(answers));
  vi.stubGlobal('fetch', async (url: string, { body }: { readonly body: string }) => {
    const method = url.slice(url.lastIndexOf(':') + 1);
    asked.push({ method, body: JSON.parse(body) });
    const answer = await answerOf.get(method)?.(body);
    return answer instanceof Response ? answer : Response.json(answer);
  });
  const app = initializeApp({ projectId: 'demo-pawpals' }, crypto.randomUUID());
  onTestFinished(() => deleteApp(app));
  const clock = createFakeClock();
  const abandon = vi.fn<() => void>();
  const documents = createFirestoreDocuments({
    firestore: initializeFirestore(app, { host: 'localhost:1', ssl: false }),
    uid: 'u1',
    clock,
    probe: async () => isPortal,
    isSignedIn: () => isSignedIn,
    requests: { abandon },
  });
  const bodies = (method: keyof Answers) =>
    asked.flatMap((request) => (request.method === method ? [request.body] : []));
  return { documents, clock, abandon, asked, bodies };
}

const plan = (next: Head, writes: readonly RemoteWrite[] = []): TransactionPlan<string> => ({
  head: next,
  writes,
  result: 'done',
});

const commit = (documents: RemoteDocuments, next: Head = { head: 5, epoch: 'one' }) =>
  documents.transact([], () => plan(next));

describe('the head', () => {
  it.each([
    [null, null],
    [head, head],
    [
      { head: 0, epoch: 'one' },
      { head: 0, epoch: 'one' },
    ],
  ])('that is stored as %o is %o', async (stored, read) => {
    const { documents } = setUp({ answers: { batchGet: withHead(stored) } });
    expect(await documents.readHead()).toEqual(read);
  });

  it.each([{ head: -1, epoch: 'one' }, { head: 4, epoch: '' }, { head: 4 }])(
    'that is stored as %o is read again later',
    async (stored) => {
      const { documents } = setUp({ answers: { batchGet: withHead(stored) } });
      const failure = { kind: 'transient', code: 'malformed-head' };
      await expect(documents.readHead()).rejects.toMatchObject(failure);
    },
  );

  const name = `${root}/sync/u1`;
  const update = (number: string, epoch: string) => ({
    update: { name, fields: { head: { integerValue: number }, epoch: { stringValue: epoch } } },
  });

  it.each([
    ['stays', head, { verify: name }],
    ['gets a number', { head: 5, epoch: 'one' }, update('5', 'one')],
    ['gets an epoch', { head: 4, epoch: 'two' }, update('4', 'two')],
  ])('is written only if it moves: it %s', async (_, next, write) => {
    const answers = { batchGet: withHead(head), commit: committed };
    const { documents, bodies } = setUp({ answers });
    expect(await commit(documents, next)).toBe('done');
    expect(bodies('commit')).toMatchObject([{ writes: [write] }]);
  });
});

it('a transaction sees the documents that it asks for, and which of them are missing', async () => {
  const pet = { collection: 'pets', id: 'p1', petId: null } as const;
  const entry = { collection: 'entries', id: 'e1', petId: 'p1' } as const;
  const fields = { ownerId: { stringValue: 'u1' }, name: { stringValue: 'Rex' } };
  const [petName, entryName] = [`${root}/pets/p1`, `${root}/pets/p1/journalEntries/e1`];
  const found = { name: petName, fields, createTime: atTime, updateTime: atTime };
  const batchGet = (body: string): unknown => {
    if (body.includes(entryName)) return [{ missing: entryName, readTime: atTime }];
    return body.includes(petName) ? [{ found, readTime: atTime }] : withHead(head)();
  };
  const { documents } = setUp({ answers: { batchGet, commit: committed } });
  const seen: unknown[] = [];
  await documents.transact([pet, entry], (view) => {
    seen.push(view.head, ...view.documents);
    return plan(head);
  });
  expect(seen).toMatchObject([
    head,
    [refKey(pet), { ...pet, ownerId: 'u1', fields: { name: 'Rex' } }],
    [refKey(entry), null],
  ]);
});

it('a transaction writes the known fields of a document, and the whole of a tombstone', async () => {
  const answers = { batchGet: withHead(head), commit: committed };
  const { documents, bodies } = setUp({ answers });
  const pet = { collection: 'pets', id: 'p1', petId: null, ownerId: 'u1', edits: {} } as const;
  const written = { ...pet, fields: { name: 'Rex' }, deleted: false, seq: 5 };
  const entry = { ...pet, collection: 'entries', id: 'e1', petId: 'p1' } as const;
  const tombstone = { ...entry, fields: {}, deleted: true, seq: 6 };
  const next = { head: 6, epoch: 'one' };
  await documents.transact([], () => plan(next, [written, tombstone]));
  const [body] = bodies('commit');
  expect(body).toMatchObject({
    writes: [
      {
        update: { name: `${root}/pets/p1`, fields: { name: { stringValue: 'Rex' } } },
        updateMask: { fieldPaths: expect.arrayContaining(['name', 'breed', 'seq', 'deleted']) },
      },
      {
        update: {
          name: `${root}/pets/p1/journalEntries/e1`,
          fields: { deleted: { booleanValue: true }, seq: { integerValue: '6' } },
        },
      },
      { update: { name: `${root}/sync/u1` } },
    ],
  });
  expect(JSON.stringify(body).match(/updateMask/g)).toHaveLength(1);
});

describe('a transaction that the server refuses', () => {
  /** The head moves with each request if another device commits. */
  function answersWith(status: number, isMoving: boolean): Answers {
    let moves = 4;
    const moving = () => withHead({ head: (moves += 1), epoch: 'one' })();
    return { batchGet: isMoving ? moving : withHead(head), commit: refused(status) };
  }

  it.each([
    [409, false, { kind: 'transient', code: 'aborted' }, 5],
    [400, true, { kind: 'transient', code: 'aborted' }, 5],
    [403, true, { kind: 'transient', code: 'aborted' }, 5],
    [400, false, { kind: 'permanent', code: 'invalid-argument' }, 1],
    [403, false, { kind: 'permanent', code: 'permission-denied' }, 1],
    [503, true, { kind: 'transient' }, 1],
  ])('with %s, while the head moves: %s, fails as %o', async (...row) => {
    const [status, isMoving, failure, attempts] = row;
    const { documents, bodies } = setUp({ answers: answersWith(status, isMoving) });
    await expect(commit(documents, { head: 99, epoch: 'one' })).rejects.toMatchObject(failure);
    expect(bodies('commit')).toHaveLength(attempts);
  });

  it('has lost a race also if only the epoch has changed, or the head was removed', async () => {
    for (const next of [{ head: 4, epoch: 'two' }, null]) {
      let reads = 0;
      const batchGet = () => withHead((reads += 1) % 2 === 1 ? head : next)();
      const { documents } = setUp({ answers: { batchGet, commit: refused(400) } });
      await expect(commit(documents)).rejects.toMatchObject({ code: 'aborted' });
    }
  });

  it('is repeated, and returns what was decided at last', async () => {
    let commits = 0;
    const answer = () => ((commits += 1) === 1 ? refused(409)() : committed());
    const { documents } = setUp({ answers: { batchGet: withHead(head), commit: answer } });
    const seen: unknown[] = [];
    const result = await documents.transact([], (view) => {
      seen.push(view);
      return plan({ head: 5, epoch: 'one' });
    });
    expect(result).toBe('done');
    expect(seen).toEqual(Array.from({ length: 2 }, () => ({ head, documents: new Map() })));
  });
});

describe('a request without an answer', () => {
  const lost = (): never => {
    throw new TypeError('Failed to fetch');
  };

  it.each<[string, Answers, boolean, string]>([
    ['no portal answers', { batchGet: lost }, false, 'unavailable'],
    ['a portal answers', { batchGet: lost }, true, 'not-firestore'],
    ['it was silent for too long', { batchGet: refused(504) }, true, 'timeout'],
  ])('is repeated later: %s', async (...row) => {
    const [, answers, isPortal, code] = row;
    const { documents } = setUp({ answers, isPortal });
    await expect(documents.readHead()).rejects.toMatchObject({ kind: 'transient', code });
  });

  it('is given up after ten minutes', async () => {
    const batchGet = () => new Promise(() => undefined);
    const { documents, clock, abandon } = setUp({ answers: { batchGet } });
    const reading = Promise.allSettled([documents.readHead()]);
    await clock.advance(599_999);
    expect(abandon).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(await reading).toMatchObject([{ reason: { kind: 'transient', code: 'timeout' } }]);
    expect(abandon).toHaveBeenCalledOnce();
  });

  it('gives up no other request when it fails by itself', async () => {
    const { documents, abandon } = setUp({ answers: { batchGet: refused(403) } });
    await expect(documents.readHead()).rejects.toMatchObject({ code: 'permission-denied' });
    expect(abandon).not.toHaveBeenCalled();
  });

  it('is not sent while nobody is signed in', async () => {
    const { documents, asked } = setUp({ isSignedIn: false });
    const failure = { kind: 'transient', code: 'unauthenticated' };
    await expect(documents.readHead()).rejects.toMatchObject(failure);
    expect(asked).toEqual([]);
  });
});

describe('a query', () => {
  const owned = (field: string) => ({
    fieldFilter: {
      field: { fieldPath: field },
      op: 'EQUAL',
      value: { stringValue: 'u1' },
    },
  });
  const numbered = {
    fieldFilter: { field: { fieldPath: 'seq' }, op: 'GREATER_THAN', value: { integerValue: '7' } },
  };
  const byPath = { field: { fieldPath: '__name__' }, direction: 'ASCENDING' };
  const none = () => [{ readTime: atTime }];

  it.each([
    ['pets', { collectionId: 'pets' }, 'ownerId'],
    ['entries', { collectionId: 'journalEntries', allDescendants: true }, 'createdBy'],
  ] as const)('of %s asks for those of the owner, by seq', async (name, from, owner) => {
    const { documents, bodies } = setUp({ answers: { runQuery: none } });
    expect(await documents.pull(name, 7, 20)).toEqual([]);
    expect(bodies('runQuery')).toMatchObject([
      {
        structuredQuery: {
          from: [from],
          where: { compositeFilter: { op: 'AND', filters: [owned(owner), numbered] } },
          orderBy: [{ field: { fieldPath: 'seq' }, direction: 'ASCENDING' }, byPath],
          limit: 20,
        },
      },
    ]);
  });

  it.each([
    ['pets', { id: 'p1', petId: null }, `${root}/pets/p1`],
    ['entries', { id: 'e1', petId: 'p1' }, `${root}/pets/p1/journalEntries/e1`],
  ] as const)('of all %s continues after the last path', async (name, after, referenceValue) => {
    const { documents, bodies } = setUp({ answers: { runQuery: none } });
    await documents.scan(name, after, 20);
    await documents.scan(name, null, 20);
    const orderBy = [{ field: { fieldPath: '__name__' }, direction: 'ASCENDING' }];
    expect(bodies('runQuery')).toMatchObject([
      { structuredQuery: { orderBy, limit: 20, startAt: { values: [{ referenceValue }] } } },
      { structuredQuery: { orderBy, limit: 20 } },
    ]);
    expect(JSON.stringify(bodies('runQuery')[1])).not.toContain('startAt');
  });

  it('returns the documents with the pets that they lie under', async () => {
    const name = `${root}/pets/p1/journalEntries/e1`;
    const fields = { createdBy: { stringValue: 'u1' }, text: { stringValue: 'ducks' } };
    const document = { name, fields, createTime: atTime, updateTime: atTime };
    const runQuery = () => [{ document, readTime: atTime }];
    const { documents } = setUp({ answers: { runQuery } });
    expect(await documents.pull('entries', 0, 20)).toMatchObject([
      { collection: 'entries', id: 'e1', petId: 'p1', fields: { text: 'ducks' } },
    ]);
  });

  const aggregated = (value: number) => (): unknown => [
    { result: { aggregateFields: { aggregate_0: { integerValue: String(value) } } } },
  ];

  it.each([
    [2, 2, false],
    [2, 3, true],
  ])('finds %s numbered of %s documents', async (sequenced, all, isFound) => {
    const counts = [sequenced, all];
    const runAggregationQuery = () => aggregated(counts.shift() ?? 0)();
    const { documents, bodies } = setUp({ answers: { runAggregationQuery } });
    expect(await documents.hasUnsequenced('pets')).toBe(isFound);
    const seqs = bodies('runAggregationQuery').map((body) => JSON.stringify(body).includes('seq'));
    expect(seqs).toEqual([true, false]);
  });

  it('sums the seqs', async () => {
    const { documents } = setUp({ answers: { runAggregationQuery: aggregated(12) } });
    expect(await documents.sumOfSeqs('pets')).toBe(12);
  });
});

describe('an aborted signal', () => {
  it('D11.4 refuses a call, and drops the answer of one in flight', async () => {
    const { documents, asked } = setUp({ answers: { batchGet: withHead(head) } });
    const stop = new AbortController();
    const stopped = documents.under(stop.signal);
    expect(await stopped.readHead()).toEqual(head);
    const inFlight = stopped.readHead();
    stop.abort(new Error('stopped'));
    await expect(inFlight).rejects.toThrow('stopped');
    const count = asked.length;
    await expect(stopped.readHead()).rejects.toThrow('stopped');
    expect(asked).toHaveLength(count);
    expect(await documents.readHead()).toEqual(head);
  });
});

it('idle ends with the last request, whether it succeeds or fails', async () => {
  for (const answer of [withHead(head), refused(403)]) {
    let end = (): void => undefined;
    const ending = new Promise<void>((resolve) => (end = resolve));
    const batchGet = async () => {
      await ending;
      return answer();
    };
    const { documents } = setUp({ answers: { batchGet } });
    await documents.idle();
    const reading = Promise.allSettled([documents.readHead()]);
    let isIdle = false;
    const idling = documents.idle().then(() => (isIdle = true));
    await settlePromises();
    expect(isIdle).toBe(false);
    end();
    await reading;
    await idling;
  }
});
