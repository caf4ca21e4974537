import { describe, expect, it } from 'vitest';
import { deleteWrite, int, setWrite } from '../../../tests/support/firestore-json.ts';
import { eventually } from '../../../tests/support/eventually.ts';
import { createMemoryStore, type MemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import { createRecordingSink } from '../../../tests/support/fakes/recording-sink.ts';
import {
  ALICE,
  BOB,
  openTestDatabase,
  openTestLedger,
} from '../../../tests/support/test-database.ts';
import type { Caller } from '../caller.ts';
import type { Database } from '../documents/database.ts';
import type { WriteLedger } from './write-ledger.ts';
import { createWriteStream } from '../streams/write-stream.ts';

const increment = (path: string, by = 1) => ({
  writes: [
    setWrite(
      path,
      {},
      {
        updateMask: { fieldPaths: [] },
        updateTransforms: [{ fieldPath: 'n', increment: int(by) }],
      },
    ),
  ],
});
const create = (path: string) => ({
  writes: [setWrite(path, { n: int(1) }, { currentDocument: { exists: false } })],
});

async function setUp(store: MemoryStore = createMemoryStore(), nowMs = () => 0) {
  const { database } = await openTestDatabase({ store });
  const ledger = await openTestLedger(store, nowMs);
  return { store, database, ledger, n: numbers(database) };
}

const numbers = (database: Database) => (path: string) => {
  const value = database.peek(path)?.fields.get('n');
  return value?.kind === 'integer' ? Number(value.value) : null;
};

interface World {
  readonly database: Database;
  readonly ledger: WriteLedger;
}

/** A stream that is past its greeting, which is the message 1 of its session. */
function connect({ database, ledger }: World, session: string, caller: Caller = ALICE) {
  const sink = createRecordingSink();
  const uid = caller === BOB ? 'bob' : 'alice';
  const stream = createWriteStream({
    database,
    caller,
    sink,
    ledger: ledger.open(session, uid),
    isCurrent: () => true,
  });
  stream.onMessage({});
  sink.take();
  /** Sends batches and answers what they were answered. */
  const send = async (...batches: unknown[]) => {
    for (const each of batches) stream.onMessage(each);
    const answers: unknown[] = [];
    await eventually(() => {
      answers.push(...sink.take());
      expect(answers.length === batches.length || sink.failure() !== undefined).toBe(true);
    });
    return answers;
  };
  return { stream, send, sink };
}

describe('a batch whose answer was lost with its session', () => {
  it('is answered again and not repeated, once the client has said what it lacks', async () => {
    const world = await setUp();
    const [first] = await connect(world, 'old').send(increment('c/a'));
    world.ledger.settle('old', 1);
    const next = connect(world, 'new');
    expect(await next.send(increment('c/a'))).toMatchObject([{ ...toBody(first) }]);
    expect(world.n('c/a')).toBe(1);
    await next.send(increment('c/a'));
    expect(world.n('c/a')).toBe(2);
  });

  it('is a new one when the client had read the answer', async () => {
    const world = await setUp();
    await connect(world, 'old').send(increment('c/a'));
    world.ledger.settle('old', 2);
    await connect(world, 'new').send(increment('c/a'));
    expect(world.n('c/a')).toBe(2);
  });

  it('is told from those before it, which the client has', async () => {
    const world = await setUp();
    await connect(world, 'old').send(increment('c/a'), increment('c/a'), increment('c/b'));
    world.ledger.settle('old', 3);
    await connect(world, 'new').send(increment('c/b'), increment('c/a'));
    expect([world.n('c/a'), world.n('c/b')]).toEqual([3, 1]);
  });

  it('is recognised after a restart, also when its second answer is lost too', async () => {
    const { store, database, ledger } = await setUp();
    await connect({ database, ledger }, 'one').send(increment('c/a'), increment('c/b', 5));
    const second = await setUp(store);
    second.ledger.settle('one', 1);
    await connect(second, 'two').send(increment('c/a'));
    const third = await setUp(store);
    third.ledger.settle('two', 1);
    third.ledger.settle('one', 1);
    await connect(third, 'three').send(increment('c/a'));
    expect([third.n('c/a'), third.n('c/b')]).toEqual([1, 5]);
  });

  it('of a client that says nothing is repeated, unless it creates something', async () => {
    const world = await setUp();
    await connect(world, 'old').send(increment('c/a'), create('c/b'));
    await connect(world, 'new').send(increment('c/a'));
    expect(world.n('c/a')).toBe(2);
    const again = connect(world, 'third');
    expect(await again.send(create('c/b'))).toMatchObject([{ writeResults: [{}] }]);
    expect(again.sink.failure()).toBeUndefined();
  });

  it('is recognised behind others that have to be taken as new ones', async () => {
    const world = await setUp();
    await connect(world, 'old').send(increment('c/a'), create('c/b'), increment('c/c'));
    const next = connect(world, 'new');
    await next.send(increment('c/a'), create('c/b'), increment('c/c'));
    expect(next.sink.failure()).toBeUndefined();
    // With the created document it is clear that what came after it is the same as well.
    expect([world.n('c/a'), world.n('c/b'), world.n('c/c')]).toEqual([2, 1, 1]);
  });

  it('that was never written to a socket needs no word of the client', async () => {
    const world = await setUp();
    const held = world.store.hold();
    const old = connect(world, 'old');
    old.stream.onMessage(increment('c/a'));
    await Promise.resolve();
    old.stream.onClose();
    const next = connect(world, 'new');
    const answer = next.send(increment('c/a'));
    held.release();
    expect(await answer).toMatchObject([{ writeResults: [{}] }]);
    expect(world.n('c/a')).toBe(1);
  });

  it('that creates something is recognised while the old session, which nobody has closed, is still at it', async () => {
    const world = await setUp();
    const before = world.store.hold();
    const old = connect(world, 'old');
    const other = connect(world, 'other', BOB);
    other.stream.onMessage(increment('c/x'));
    await Promise.resolve();
    const next = connect(world, 'next');
    old.stream.onMessage(create('c/a'));
    next.stream.onMessage(create('c/a'));
    before.release();
    await eventually(() => expect(next.sink.take()).toMatchObject([{ writeResults: [{}] }]));
    expect([old.sink.failure(), next.sink.failure()]).toEqual([undefined, undefined]);
    // The second answer is as good as the first: lost too, it is given a third time.
    world.ledger.settle('next', 1);
    const third = connect(world, 'third');
    expect(await third.send(create('c/a'))).toMatchObject([{ writeResults: [{}] }]);
  });

  it('takes those behind it along: the session it was sent on before runs them no more', async () => {
    const world = await setUp();
    const old = connect(world, 'old');
    await old.send(create('c/a'));
    const next = connect(world, 'next');
    await next.send(create('c/a'), increment('c/a', 5));
    await old.send(increment('c/a', 5));
    expect(old.sink.failure()).toBe('ABORTED');
    expect(world.n('c/a')).toBe(6);
  });

  it('that creates something is answered once more, when it was read but perhaps not handled', async () => {
    let now = 0;
    const world = await setUp(createMemoryStore(), () => now);
    const old = connect(world, 'old');
    await old.send(create('c/a'));
    old.stream.onAcknowledged?.(2);

    await old.send(create('c/a'));
    expect(old.sink.failure()).toBe('ALREADY_EXISTS');

    // Nobody has told the server that the old session is gone.
    const next = connect(world, 'next');
    expect(await next.send(create('c/a'))).toMatchObject([{ writeResults: [{}] }]);
    expect(next.sink.failure()).toBeUndefined();
    next.stream.onAcknowledged?.(2);

    now += 61_000;
    const late = connect(world, 'late');
    await late.send(create('c/a'));
    expect(late.sink.failure()).toBe('ALREADY_EXISTS');
  });

  it('is answered once more by a server that was restarted after it was read', async () => {
    const store = createMemoryStore();
    const before = await setUp(store);
    const old = connect(before, 'old');
    await old.send(create('c/a'));
    old.stream.onAcknowledged?.(2);
    old.stream.onClose();
    await before.ledger.close();

    const next = connect(await setUp(store), 'next');
    expect(await next.send(create('c/a'))).toMatchObject([{ writeResults: [{}] }]);
    expect(next.sink.failure()).toBeUndefined();
  });

  it('that creates something leaves the store after a minute', async () => {
    let now = 0;
    const store = createMemoryStore();
    const world = await setUp(store, () => now);
    const records = () => [...store.content.keys()].filter((key) => key.startsWith('fs/w/'));
    const { stream, send } = connect(world, 'one');
    await send(create('c/a'));
    stream.onAcknowledged?.(2);
    now += 61_000;
    await send(create('c/b'));
    stream.onAcknowledged?.(4);
    stream.onClose();
    await world.ledger.close();
    expect(records()).toHaveLength(1);
  });

  it('of another user is none of ours', async () => {
    const world = await setUp();
    await connect(world, 'old').send(create('c/a'));
    world.ledger.settle('old', 1);
    const bob = connect(world, 'new', BOB);
    await bob.send(create('c/a'));
    expect(bob.sink.failure()).toBe('ALREADY_EXISTS');
  });

  it('is forgotten when acknowledged, and after a month', async () => {
    const { store, database, ledger } = await setUp();
    const records = () => [...store.content.keys()].filter((key) => key.startsWith('fs/w/'));
    const { stream, send } = connect({ database, ledger }, 'old');
    await send(increment('c/a'), increment('c/a'));
    expect(records().length).toBe(2);
    stream.onAcknowledged?.(2);
    stream.onClose();
    await ledger.close();
    expect(records().length).toBe(1);
    await setUp(store, () => 31 * 24 * 3_600_000);
    expect(records()).toEqual([]);
  });

  it('is stored with its effect, in one atomic write', async () => {
    const world = await setUp();
    await connect(world, 'old').send(increment('c/a'));
    const keys = world.store.writes.at(-1)?.map(({ key }) => String(key).slice(0, 5));
    expect(keys).toEqual(expect.arrayContaining(['fs/d/', 'fs/ve', 'fs/l/', 'fs/w/']));
    expect(JSON.stringify([...world.store.content])).not.toContain('"old"');
  });

  it('does not make other batches of the same content disappear', async () => {
    const world = await setUp();
    await connect(world, 'old').send(increment('c/a'));
    world.ledger.settle('old', 1);
    const next = connect(world, 'new');
    await next.send({ writes: [deleteWrite('c/x')] }, increment('c/a'));
    expect(world.n('c/a')).toBe(2);
  });
});

function toBody(answer: unknown): object {
  if (typeof answer !== 'object' || answer === null) throw new Error('no answer');
  return { ...answer, streamToken: expect.any(String) };
}
