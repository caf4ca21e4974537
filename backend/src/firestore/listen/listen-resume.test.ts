import { describe, expect, it } from 'vitest';
import {
  deleteWrite,
  int,
  setWrite,
  where,
  writes,
} from '../../../tests/support/firestore-json.ts';
import { createManualClock } from '../../../tests/support/fakes/manual-clock.ts';
import { createMemoryStore, type MemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import {
  commit,
  documentTarget,
  openListener as open,
  queryTarget,
  resumeAt,
} from '../../../tests/support/listen-kit.ts';
import { aliceCaller, bobCaller, openTestDatabase } from '../../../tests/support/test-database.ts';
import { encodeResumeToken } from './resume-token.ts';

const filter = (count: number) => ({
  filter: { targetId: 2, count, unchangedNames: expect.anything() },
});

/** Opens the database two days later, when the change log has evicted everything. */
const reopenLater = (store: MemoryStore) =>
  openTestDatabase({ store, clock: createManualClock(Date.UTC(2026, 0, 3)) });

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

describe('a resumed query target', () => {
  const adults = { where: where('n', 'GREATER_THAN', int(1)) };

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
      await database.commit(
        aliceCaller,
        writes(setWrite('c/a', { n: int(0) }), setWrite('c/b', {})),
      );
      await database.commit(
        bobCaller,
        writes(setWrite('c/bob', { n: int(0) }), deleteWrite('c/b')),
      );
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
        ...('limit' in query ? ['RESET 2'] : []),
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

  it.each([
    ['without a limit', adults],
    ['with a limit', { ...adults, limit: 5 }],
  ])('%s starts over when the log does not reach back', async (_which, query) => {
    const store = createMemoryStore();
    const first = await openTestDatabase({ store });
    const resume = resumeAt(first.database);
    await commit(first.database, setWrite('c/a', { n: int(5) }));
    const { database } = await reopenLater(store);
    const { sink, stream } = await open({ database });
    stream.onMessage(queryTarget(2, query, resume));
    expect(sink.take()).toEqual([
      'ADD 2',
      'RESET 2',
      'change c/a in 2 out ',
      'CURRENT 2',
      'SNAPSHOT',
    ]);
  });
});
