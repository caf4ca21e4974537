import { describe, expect, it } from 'vitest';
import {
  deleteWrite,
  int,
  map,
  orderBy,
  setWrite,
  structuredQuery,
  where,
} from '../../../tests/support/firestore-json.ts';
import {
  alice,
  commit,
  documentTarget,
  openListener as open,
  queryTarget,
} from '../../../tests/support/listen-kit.ts';
import { createRecordingSink } from '../../../tests/support/fakes/recording-sink.ts';
import type { Resources } from '../../limits/resources.ts';
import { createListenStream } from './listen-stream.ts';
import { databaseNames, openTestDatabase } from '../../../tests/support/test-database.ts';
import type { AccessPolicy } from '../access-policy.ts';

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

  it('gets the next free number where the client names none, also with the database as its parent', async () => {
    const { sink, stream } = await open();
    stream.onMessage(documentTarget(1002, 'c/a'));
    sink.take();
    const parent = databaseNames.database;
    const query = { parent, structuredQuery: structuredQuery('c') };
    stream.onMessage({ addTarget: { query } });
    expect(sink.take()).toEqual(['ADD 1003', 'CURRENT 1003', 'SNAPSHOT']);
    stream.onMessage({ removeTarget: 1003 });
    stream.onMessage({ addTarget: { targetId: 0, query } });
    expect(sink.take()).toEqual(['REMOVE 1003', 'ADD 1004', 'CURRENT 1004', 'SNAPSHOT']);
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
      { targetId: 2, documents: { documents: [`${databaseNames.documents}/__c__/a`] } },
      3,
    ],
    [
      'two documents',
      {
        targetId: 2,
        documents: { documents: [databaseNames.toName('c/a'), databaseNames.toName('c/b')] },
      },
      3,
    ],
    ['a pipeline', { targetId: 2, pipelineQuery: {} }, 12],
    [
      'a broken query',
      { targetId: 2, query: { parent: databaseNames.documents, structuredQuery: {} } },
      3,
    ],
  ])('%s', async (_name, addTarget, code) => {
    const { sink, stream } = await open();
    stream.onMessage({ addTarget });
    expect(sink.take()).toEqual([`REMOVE 2 ${code}`]);
  });

  it('one that is nested too deeply, and is no error of ours', async () => {
    const { sink, stream, lines } = await open();
    for (const depth of [300, 10_000]) {
      const text = `{"targetId":2,"query":${'['.repeat(depth)}${']'.repeat(depth)}}`;
      stream.onMessage({ addTarget: JSON.parse(text) });
      expect(sink.take()).toEqual(['REMOVE 2 3']);
    }
    expect(lines).toEqual([]);
  });

  it('none whose filters and values are nested as deeply as they may be', async () => {
    const { sink, stream } = await open();
    let value: object = int(1);
    for (let at = 0; at < 20; at++) value = map({ a: value });
    let filter: object = where('a', 'EQUAL', value);
    for (let at = 0; at < 20; at++) filter = { compositeFilter: { op: 'AND', filters: [filter] } };
    stream.onMessage(queryTarget(2, { where: filter }));
    expect(sink.take()).toContain('CURRENT 2');
  });

  it('one target too many on a stream', async () => {
    const { sink, stream } = await open();
    for (let at = 1; at <= 501; at++) stream.onMessage(documentTarget(at * 2, 'c/a'));
    await expect.poll(() => sink.take()).toContain('REMOVE 1002 8');
  });
});

describe('an unexpected error', () => {
  const logged = [{ level: 'error', event: 'stream failed', error: 'TypeError' }];

  it('of one target is logged, and the others go on', async () => {
    const { database, sink, stream, lines } = await open({
      policy(request) {
        if (request.operation !== 'list' && request.path === 'c/b') throw new TypeError('a defect');
        return true;
      },
    });
    stream.onMessage(documentTarget(2, 'c/a'));
    stream.onMessage(documentTarget(4, 'c/b'));
    stream.onMessage(documentTarget(6, 'c/none'));
    sink.take();
    expect(lines).toEqual(logged);
    await commit(database, setWrite('c/a', {}));
    expect(sink.take()).toEqual(['change c/a in 2 out ', 'SNAPSHOT']);
  });

  it('of the stream is logged, and an expected one is not', async () => {
    const { database, sink, stream, lines } = await open({ policy: denyB });
    stream.onMessage(documentTarget(2, 'c/a'));
    stream.onMessage(documentTarget(4, 'c/b'));
    expect(lines).toEqual([]);
    sink.send = () => {
      throw new TypeError('a defect');
    };
    await commit(database, setWrite('c/a', {}));
    expect([sink.failure(), lines]).toEqual(['INTERNAL', logged]);
  });
});

describe('work that waits for a turn', () => {
  /** A listener of Alice whose pieces of work wait until `next` runs one. */
  const openWaiting = async () => {
    const { database } = await openTestDatabase();
    const sink = createRecordingSink();
    const pieces: (() => unknown)[] = [];
    const listener = alice();
    const wait: Resources['turns']['run'] = (_client, piece) =>
      new Promise((resolve) => pieces.push(() => resolve(piece())));
    const turns = { ...listener.resources.turns, run: wait, ask: wait };
    const resources = { ...listener.resources, turns };
    const stream = createListenStream({ ...listener, database, sink, resources });
    const next = async () => {
      pieces.shift()?.();
      await commit(database);
    };
    return { database, sink, stream, next, pieces, resources };
  };

  it('reports all commits of the meantime at once', async () => {
    const { database, sink, stream, next, pieces } = await openWaiting();
    stream.onMessage(documentTarget(2, 'c/a'));
    await next();
    sink.take();
    await commit(database, setWrite('c/a', { n: int(1) }));
    await commit(database, setWrite('c/a', { n: int(2) }));
    expect(pieces).toHaveLength(1);
    expect(sink.take()).toEqual([]);
    await next();
    expect(sink.take()).toEqual(['change c/a in 2 out ', 'SNAPSHOT']);
  });

  it('does not arise from commits that no target is about', async () => {
    const { database, stream, next, pieces } = await openWaiting();
    stream.onMessage(documentTarget(2, 'c/a'));
    await next();
    await commit(database, setWrite('c/b', {}), setWrite('d/a', {}));
    expect(pieces).toEqual([]);
  });

  it('reports earlier commits before the answer of a new target, whose snapshot is one of all targets', async () => {
    const { database, sink, stream, next } = await openWaiting();
    stream.onMessage(documentTarget(2, 'c/a'));
    await next();
    sink.take();
    stream.onMessage(documentTarget(4, 'c/b'));
    await commit(database, setWrite('c/a', { n: int(1) }));
    await next();
    expect(sink.take()).toEqual([
      'change c/a in 2 out ',
      'SNAPSHOT',
      'ADD 4',
      'delete c/b out 4',
      'CURRENT 4',
      'SNAPSHOT',
    ]);
    await next();
    expect(sink.take()).toEqual([]);
  });

  it('is dropped with the stream', async () => {
    const { database, sink, stream, next, resources } = await openWaiting();
    stream.onMessage(documentTarget(2, 'c/a'));
    await next();
    sink.take();
    await commit(database, setWrite('c/a', { n: int(1) }));
    stream.onMessage(documentTarget(4, 'c/b'));
    stream.onClose();
    for (let turn = 0; turn < 3; turn++) await next();
    expect(sink.take()).toEqual([]);
    expect(resources.level('targets').total()).toBe(0);
  });
});
