import { describe, expect, it } from 'vitest';
import {
  deleteWrite,
  int,
  orderBy,
  setWrite,
  structuredQuery,
  where,
  writes,
} from '../../tests/support/firestore-json.ts';
import { createManualClock } from '../../tests/support/manual-clock.ts';
import { createMemoryStore, type MemoryStore } from '../../tests/support/memory-store.ts';
import { createRecordingSink } from '../../tests/support/recording-sink.ts';
import { ALICE, BOB, NAMES, openTestDatabase } from '../../tests/support/test-database.ts';
import type { AccessPolicy } from './access-policy.ts';
import { ADMIN } from './caller.ts';
import type { Database } from './database.ts';
import { createListenStream } from './listen-stream.ts';
import { encodeResumeToken } from './resume-token.ts';

const documentTarget = (targetId: number, path: string, more = {}) => ({
  addTarget: { targetId, documents: { documents: [NAMES.toName(path)] }, ...more },
});
const queryTarget = (targetId: number, query = {}, more = {}) => ({
  addTarget: {
    targetId,
    query: { parent: NAMES.documents, structuredQuery: structuredQuery('c', query) },
    ...more,
  },
});
const commit = (database: Database, ...json: unknown[]) => database.commit(ADMIN, writes(...json));

async function open(options: { policy?: AccessPolicy; database?: Database } = {}) {
  const database = options.database ?? (await openTestDatabase(options)).database;
  const sink = createRecordingSink();
  const stream = createListenStream({ database, caller: ALICE, sink });
  return { database, sink, stream };
}

const resumeAt = (database: Database, version = database.readVersion()) => ({
  resumeToken: encodeResumeToken(database.epoch, version),
});

const filter = (count: number) => ({
  filter: { targetId: 2, count, unchangedNames: expect.anything() },
});

/** Two days later, when the change log has forgotten everything. */
const reopenLater = (store: MemoryStore) =>
  openTestDatabase({ store, clock: createManualClock(Date.UTC(2026, 0, 3)) });

const listOnly: AccessPolicy = ({ operation }) => operation === 'list';
const denyB: AccessPolicy = (request) => request.operation !== 'list' && request.path !== 'c/b';

describe('a document target', () => {
  it('sends the document, then CURRENT, then the snapshot that shows it', async () => {
    const { database, sink, stream } = await open();
    await commit(database, setWrite('c/a', {}));
    stream.onMessage(documentTarget(2, 'c/a'));
    expect(sink.take()).toEqual(['ADD 2', 'change c/a in 2 out ', 'CURRENT 2', 'SNAPSHOT']);
  });

  it('says that a document is missing, and follows its life', async () => {
    const { database, sink, stream } = await open();
    stream.onMessage(documentTarget(2, 'c/a'));
    expect(sink.take()).toEqual(['ADD 2', 'delete c/a out 2', 'CURRENT 2', 'SNAPSHOT']);
    await commit(database, setWrite('c/a', {}));
    expect(sink.take()).toEqual(['change c/a in 2 out ', 'SNAPSHOT']);
    await commit(database, setWrite('c/b', {}));
    expect(sink.take()).toEqual([]);
    await commit(database, deleteWrite('c/a'));
    expect(sink.take()).toEqual(['delete c/a out 2', 'SNAPSHOT']);
  });

  it('acknowledges each removal once, also of an unknown target, and is silent afterwards', async () => {
    const { database, sink, stream } = await open();
    stream.onMessage(documentTarget(2, 'c/a'));
    sink.take();
    stream.onMessage({ removeTarget: 2 });
    stream.onMessage({ removeTarget: 4 });
    await commit(database, setWrite('c/a', {}));
    expect(sink.take()).toEqual(['REMOVE 2', 'REMOVE 4']);
  });

  it('is silent after the stream is closed', async () => {
    const { database, sink, stream } = await open();
    stream.onMessage(documentTarget(2, 'c/a'));
    sink.take();
    stream.onClose();
    await commit(database, setWrite('c/a', {}));
    expect(sink.take()).toEqual([]);
  });

  it('tells a document that two targets watch once', async () => {
    const { database, sink, stream } = await open();
    stream.onMessage(documentTarget(2, 'c/a'));
    stream.onMessage(queryTarget(4));
    sink.take();
    await commit(database, setWrite('c/a', {}));
    expect(sink.take()).toEqual(['change c/a in 2,4 out ', 'SNAPSHOT']);
    await commit(database, deleteWrite('c/a'));
    expect(sink.take()).toEqual(['delete c/a out 2,4', 'SNAPSHOT']);
  });
});

describe('a resumed document target', () => {
  it('sends nothing that the client has already', async () => {
    const { database, sink, stream } = await open();
    await commit(database, setWrite('c/a', {}));
    stream.onMessage(documentTarget(2, 'c/a', resumeAt(database)));
    expect(sink.take()).toEqual(['ADD 2', 'CURRENT 2', 'SNAPSHOT']);
  });

  it('has seen the commit whose version its token names, and not the one before', async () => {
    const { database, sink, stream } = await open();
    const { version } = await commit(database, setWrite('c/a', {}));
    stream.onMessage(documentTarget(2, 'c/a', resumeAt(database, version)));
    stream.onMessage(documentTarget(4, 'c/a', resumeAt(database, version - 1)));
    expect(sink.take().filter((each) => String(each).startsWith('change'))).toEqual([
      'change c/a in 4 out ',
    ]);
  });

  it('sends a document that changed or went since', async () => {
    const { database, sink, stream } = await open();
    await commit(database, setWrite('c/a', {}), setWrite('c/b', {}));
    const resume = resumeAt(database);
    await commit(database, setWrite('c/a', { n: int(1) }), deleteWrite('c/b'));
    stream.onMessage(documentTarget(2, 'c/a', resume));
    stream.onMessage(documentTarget(4, 'c/b', resume));
    expect(sink.take()).toEqual([
      'ADD 2',
      'change c/a in 2 out ',
      'CURRENT 2',
      'SNAPSHOT',
      'ADD 4',
      'delete c/b out 4',
      'CURRENT 4',
      'SNAPSHOT',
    ]);
  });

  it('sends an unchanged document that the client does not have', async () => {
    const { database, sink, stream } = await open();
    await commit(database, setWrite('c/a', {}));
    stream.onMessage(documentTarget(2, 'c/a', { ...resumeAt(database), expectedCount: 1 }));
    stream.onMessage(documentTarget(4, 'c/a', { ...resumeAt(database), expectedCount: 0 }));
    expect(sink.take().filter((each) => String(each).startsWith('change'))).toEqual([
      'change c/a in 4 out ',
    ]);
  });

  it('needs no change log: it resumes over a restart', async () => {
    const store = createMemoryStore();
    const clock = createManualClock();
    const first = await openTestDatabase({ store, clock });
    await commit(first.database, setWrite('c/a', {}));
    const resume = resumeAt(first.database);
    await first.database.close();
    const { database } = await openTestDatabase({ store, clock });
    const { sink, stream } = await open({ database });
    stream.onMessage(documentTarget(2, 'c/a', resume));
    expect(sink.take()).toEqual(['ADD 2', 'CURRENT 2', 'SNAPSHOT']);
  });

  it.each([
    ['of another store', encodeResumeToken('epoch-2', 1)],
    ['from the future', encodeResumeToken('epoch-1', 9e15)],
    ['that is no token', 'bm9uc2Vuc2U='],
  ])('starts over with a token %s', async (_name, resumeToken) => {
    const { database, sink, stream } = await open();
    await commit(database, setWrite('c/a', {}));
    stream.onMessage(documentTarget(2, 'c/a', { resumeToken }));
    expect(sink.take()).toEqual([
      'ADD 2',
      'RESET 2',
      'change c/a in 2 out ',
      'CURRENT 2',
      'SNAPSHOT',
    ]);
  });
});

describe('a query target', () => {
  const adults = { where: where('n', 'GREATER_THAN', int(1)) };

  it('sends its result and follows documents in and out', async () => {
    const { database, sink, stream } = await open();
    await commit(database, setWrite('c/a', { n: int(1) }), setWrite('c/b', { n: int(2) }));
    stream.onMessage(queryTarget(2, adults));
    expect(sink.take()).toEqual(['ADD 2', 'change c/b in 2 out ', 'CURRENT 2', 'SNAPSHOT']);
    await commit(database, setWrite('c/a', { n: int(5) }), setWrite('c/b', { n: int(0) }));
    expect(sink.take()).toEqual(['change c/a in 2 out ', 'change c/b in  out 2', 'SNAPSHOT']);
  });

  it('refills a limit with a document that did not change', async () => {
    const { database, sink, stream } = await open();
    await commit(database, ...['a', 'b', 'd'].map((id, n) => setWrite(`c/${id}`, { n: int(n) })));
    stream.onMessage(queryTarget(2, { orderBy: [orderBy('n')], limit: 2 }));
    sink.take();
    await commit(database, deleteWrite('c/a'));
    expect(sink.take()).toEqual(['change c/d in 2 out ', 'delete c/a out 2', 'SNAPSHOT']);
  });

  it('does not show a document that left to someone who may not read it', async () => {
    const { database, sink, stream } = await open({ policy: listOnly });
    await commit(database, setWrite('c/a', { n: int(5) }));
    stream.onMessage(queryTarget(2, adults));
    sink.take();
    await commit(database, setWrite('c/a', { n: int(0) }));
    expect(sink.take()).toEqual(['remove c/a out 2', 'SNAPSHOT']);
  });

  it('resumes with the difference only, and checks the count between what is there and what left', async () => {
    const { database, sink, stream } = await open();
    await commit(database, ...['a', 'b', 'd'].map((id) => setWrite(`c/${id}`, { n: int(5) })));
    const resume = { ...resumeAt(database), expectedCount: 3 };
    await commit(
      database,
      setWrite('c/b', { n: int(6) }),
      deleteWrite('c/d'),
      setWrite('c/e', { n: int(7) }),
    );
    await commit(database, setWrite('c/other', { n: int(0) }));
    stream.onMessage(queryTarget(2, adults, resume));
    expect(sink.take()).toEqual([
      'ADD 2',
      'change c/b in 2 out ',
      'change c/e in 2 out ',
      filter(3),
      'delete c/d out 2',
      'CURRENT 2',
      'SNAPSHOT',
    ]);
  });

  it('resumes over several changes of one document, also through another result', async () => {
    const { database, sink, stream } = await open();
    await commit(database, setWrite('c/a', { n: int(5) }));
    const resume = { ...resumeAt(database), expectedCount: 1 };
    for (const n of [0, 6]) await commit(database, setWrite('c/a', { n: int(n) }));
    stream.onMessage(queryTarget(2, adults, resume));
    expect(sink.take()).toEqual(['ADD 2', 'change c/a in 2 out ', 'CURRENT 2', 'SNAPSHOT']);
  });

  it('starts over when the client has another number of documents than it should', async () => {
    const { database, sink, stream } = await open();
    await commit(database, setWrite('c/a', { n: int(5) }));
    stream.onMessage(queryTarget(2, adults, { ...resumeAt(database), expectedCount: 2 }));
    expect(sink.take()).toEqual([
      'ADD 2',
      'RESET 2',
      'change c/a in 2 out ',
      'CURRENT 2',
      'SNAPSHOT',
    ]);
  });

  it.each([
    ['at once', false],
    ['over a restart', true],
  ])('names a document that came and went since, resumed %s', async (_when, isRestart) => {
    const store = createMemoryStore();
    let { database } = await openTestDatabase({ store });
    const resume = { ...resumeAt(database), expectedCount: 0 };
    await commit(database, setWrite('c/gone', { n: int(5) }), setWrite('c/moved', { n: int(5) }));
    await commit(database, deleteWrite('c/gone'), setWrite('c/moved', { n: int(0) }));
    if (isRestart) ({ database } = await openTestDatabase({ store }));
    const { sink, stream } = await open({ database });
    stream.onMessage(queryTarget(2, adults, resume));
    expect(sink.take()).toEqual([
      'ADD 2',
      filter(0),
      'delete c/gone out 2',
      'change c/moved in  out 2',
      'CURRENT 2',
      'SNAPSHOT',
    ]);
  });

  it.each([
    ['without a limit', adults, false],
    ['with a limit', { ...adults, limit: 1 }, false],
    ['without a limit, over a restart', adults, true],
    ['with a limit, over a restart', { ...adults, limit: 1 }, true],
  ])(
    'names what its user wrote, although it never belonged to it: %s',
    async (_which, query, isRestart) => {
      const store = createMemoryStore();
      let { database } = await openTestDatabase({ store });
      const live = await open({ database });
      const resume = { ...resumeAt(database), expectedCount: 0 };
      live.stream.onMessage(queryTarget(2, query));
      live.sink.take();
      await database.commit(ALICE, writes(setWrite('c/a', { n: int(0) }), setWrite('c/b', {})));
      await database.commit(BOB, writes(setWrite('c/bob', { n: int(0) }), deleteWrite('c/b')));
      expect(live.sink.take()).toEqual([
        'change c/a in  out 2',
        'change c/b in  out 2',
        'SNAPSHOT',
      ]);
      if (isRestart) ({ database } = await openTestDatabase({ store }));
      const { sink, stream } = await open({ database });
      stream.onMessage(queryTarget(2, query, resume));
      expect(sink.take().filter((each) => typeof each === 'string')).toEqual([
        'ADD 2',
        'change c/a in  out 2',
        'delete c/b out 2',
        'CURRENT 2',
        'SNAPSHOT',
      ]);
    },
  );

  it('names a document that came and went also when the client must start over', async () => {
    const { database, sink, stream } = await open();
    const resume = { ...resumeAt(database), expectedCount: 7 };
    await commit(database, setWrite('c/a', { n: int(5) }));
    await commit(database, deleteWrite('c/a'));
    stream.onMessage(queryTarget(2, adults, resume));
    expect(sink.take()).toEqual(['ADD 2', 'RESET 2', 'delete c/a out 2', 'CURRENT 2', 'SNAPSHOT']);
  });

  it('does not name a document that never belonged to it', async () => {
    const { database, sink, stream } = await open();
    const resume = { ...resumeAt(database), expectedCount: 0 };
    await commit(database, setWrite('c/a', { n: int(0) }), setWrite('other/a', { n: int(5) }));
    await commit(database, deleteWrite('c/a'), deleteWrite('other/a'));
    stream.onMessage(queryTarget(2, adults, resume));
    expect(sink.take()).toEqual(['ADD 2', 'CURRENT 2', 'SNAPSHOT']);
  });

  it('resumes with what changed and the names of what is there when the log does not reach back', async () => {
    const store = createMemoryStore();
    const first = await openTestDatabase({ store });
    await commit(
      first.database,
      ...['a', 'b', 'd'].map((id) => setWrite(`c/${id}`, { n: int(5) })),
    );
    const resume = { ...resumeAt(first.database), expectedCount: 3 };
    await commit(first.database, setWrite('c/a', { n: int(6) }), deleteWrite('c/b'));
    const { database } = await reopenLater(store);
    const { sink, stream } = await open({ database });
    stream.onMessage(queryTarget(2, adults, resume));
    expect(sink.take()).toEqual([
      'ADD 2',
      'change c/a in 2 out ',
      filter(2),
      'CURRENT 2',
      'SNAPSHOT',
    ]);
  });

  it('says nothing when nothing changed, however old the token is', async () => {
    const store = createMemoryStore();
    const first = await openTestDatabase({ store });
    await commit(first.database, setWrite('c/a', { n: int(5) }));
    const resume = { ...resumeAt(first.database), expectedCount: 1 };
    await commit(first.database, setWrite('other/a', { n: int(6) }));
    const { database } = await reopenLater(store);
    const { sink, stream } = await open({ database });
    stream.onMessage(queryTarget(2, adults, resume));
    expect(sink.take()).toEqual(['ADD 2', 'CURRENT 2', 'SNAPSHOT']);
  });

  it('with a limit starts over when the log does not reach back', async () => {
    const store = createMemoryStore();
    const first = await openTestDatabase({ store });
    const resume = resumeAt(first.database);
    await commit(first.database, setWrite('c/a', { n: int(5) }));
    const { database } = await reopenLater(store);
    const { sink, stream } = await open({ database });
    stream.onMessage(queryTarget(2, { ...adults, limit: 5 }, resume));
    expect(sink.take()).toEqual([
      'ADD 2',
      'RESET 2',
      'change c/a in 2 out ',
      'CURRENT 2',
      'SNAPSHOT',
    ]);
  });
});

describe('a refused target', () => {
  it('is told why, without ADD, and leaves the others alone', async () => {
    const { database, sink, stream } = await open({ policy: denyB });
    stream.onMessage(documentTarget(2, 'c/a'));
    sink.take();
    stream.onMessage(documentTarget(4, 'c/b'));
    stream.onMessage(queryTarget(6));
    await commit(database, setWrite('c/a', {}), setWrite('c/b', {}));
    expect(sink.take()).toEqual(['REMOVE 4 7', 'REMOVE 6 7', 'change c/a in 2 out ', 'SNAPSHOT']);
  });

  it('is refused later when the right is lost', async () => {
    let isAllowed = true;
    const { database, sink, stream } = await open({ policy: () => isAllowed });
    stream.onMessage(documentTarget(2, 'c/a'));
    stream.onMessage(queryTarget(4));
    sink.take();
    isAllowed = false;
    await commit(database, setWrite('c/a', {}));
    await commit(database, setWrite('c/a', { n: int(1) }));
    expect(sink.take()).toEqual(['REMOVE 2 7', 'REMOVE 4 7']);
  });

  it('by an error of ours is told so, and the commit goes through', async () => {
    let isBroken = false;
    const policy: AccessPolicy = () => {
      if (isBroken) throw new Error('a bug');
      return true;
    };
    const { database, sink, stream } = await open({ policy });
    stream.onMessage(documentTarget(2, 'c/a'));
    sink.take();
    isBroken = true;
    await commit(database, setWrite('c/a', {}));
    expect(sink.take()).toEqual(['REMOVE 2 13']);
  });

  it.each([
    [
      'a reserved path',
      { targetId: 2, documents: { documents: [`${NAMES.documents}/__c__/a`] } },
      3,
    ],
    [
      'two documents',
      { targetId: 2, documents: { documents: [NAMES.toName('c/a'), NAMES.toName('c/b')] } },
      3,
    ],
    ['a pipeline', { targetId: 2, pipelineQuery: {} }, 12],
    ['a broken query', { targetId: 2, query: { parent: NAMES.documents, structuredQuery: {} } }, 3],
  ])('%s', async (_name, addTarget, code) => {
    const { sink, stream } = await open();
    stream.onMessage({ addTarget });
    expect(sink.take()).toEqual([`REMOVE 2 ${code}`]);
  });

  it('one target too many on a stream', async () => {
    const { sink, stream } = await open();
    for (let at = 1; at <= 501; at++) stream.onMessage(documentTarget(at * 2, 'c/a'));
    expect(sink.take().at(-1)).toBe('REMOVE 1002 8');
  });
});
