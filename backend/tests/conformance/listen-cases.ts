import type { Firestore, Query } from 'firebase/firestore';
import {
  eventually,
  fill,
  idsOf,
  refused,
  same,
  watchQuery,
  type Case,
  type World,
} from './world.ts';

/** A case of a live query: after each step it shows these ids. */
const follows = (
  name: string,
  build: (world: World) => Query,
  steps: readonly (readonly [change: Record<string, object | null>, ids: string])[],
): Case => ({
  name: `live: ${name}`,
  async run(world) {
    const { sdk, db, at } = world;
    const { until, errors, stop } = watchQuery(sdk, build(world));
    for (const [change, ids] of steps) {
      const batch = sdk.writeBatch(db);
      for (const [id, data] of Object.entries(change)) {
        const ref = sdk.doc(db, at, id);
        if (data === null) batch.delete(ref);
        else batch.set(ref, data);
      }
      await batch.commit();
      await until(ids);
      same(idsOf(await sdk.getDocsFromServer(build(world))), ids);
    }
    stop();
    same(errors, []);
  },
});

const abc = { a: { n: 1 }, b: { n: 2 }, c: { n: 3 }, d: { n: 4 } };

const windows: readonly Case[] = [
  follows(
    'documents enter, change places and leave',
    ({ sdk, db, at }) =>
      sdk.query(sdk.collection(db, at), sdk.where('n', '>', 1), sdk.orderBy('n')),
    [
      [abc, 'b c d'],
      [{ b: { n: 9 }, a: { n: 5 } }, 'c d a b'],
      [{ c: { n: 0 }, d: null }, 'a b'],
      [{ c: { n: 6 }, a: {} }, 'c b'],
    ],
  ),
  follows(
    'a limit is refilled and pushed out of',
    ({ sdk, db, at }) => sdk.query(sdk.collection(db, at), sdk.orderBy('n'), sdk.limit(2)),
    [
      [abc, 'a b'],
      [{ a: null }, 'b c'],
      [{ z: { n: 0 } }, 'z b'],
      [{ z: { n: 10 } }, 'b c'],
      [{ b: { n: 3.5 } }, 'c b'],
      [{ b: null, c: null, d: null }, 'z'],
    ],
  ),
  follows(
    'limitToLast follows the end',
    ({ sdk, db, at }) => sdk.query(sdk.collection(db, at), sdk.orderBy('n'), sdk.limitToLast(2)),
    [
      [abc, 'c d'],
      [{ e: { n: 5 } }, 'd e'],
      [{ e: null, d: null }, 'b c'],
    ],
  ),
  follows(
    'cursors hold while documents move past them',
    ({ sdk, db, at }) =>
      sdk.query(sdk.collection(db, at), sdk.orderBy('n'), sdk.startAfter(1), sdk.endAt(3)),
    [
      [abc, 'b c'],
      [{ a: { n: 1.5 }, c: { n: 3.5 } }, 'a b'],
      [{ c: { n: 3 }, b: { n: 1 } }, 'a c'],
    ],
  ),
  follows(
    'or, in and array-contains',
    ({ sdk, db, at }) =>
      sdk.query(
        sdk.collection(db, at),
        sdk.or(sdk.where('n', 'in', [1, 2]), sdk.where('tags', 'array-contains', 'x')),
      ),
    [
      [abc, 'a b'],
      [{ c: { n: 3, tags: ['x'] }, a: { n: 7 } }, 'b c'],
      [{ b: { n: 2, tags: ['x'] }, c: { n: 1 } }, 'b c'],
    ],
  ),
  follows(
    '!= and not-in',
    ({ sdk, db, at }) => sdk.query(sdk.collection(db, at), sdk.where('n', 'not-in', [1, 2])),
    [
      [abc, 'c d'],
      [{ a: { n: 5 }, c: { n: 1 }, d: {} }, 'a'],
      [{ a: { n: null } }, ''],
    ],
  ),
];

const clients: readonly Case[] = [
  {
    name: 'live: another client sees a change, and what kind it was',
    async run({ sdk, db, at, connect }) {
      const other = await connect();
      const kinds: string[] = [];
      const stop = sdk.onSnapshot(sdk.collection(other, at), (snapshot) => {
        kinds.push(
          snapshot
            .docChanges()
            .map(({ type, doc }) => `${type} ${doc.id}`)
            .join(),
        );
      });
      await eventually(() => same(kinds, ['']));
      await sdk.setDoc(sdk.doc(db, at, 'a'), { n: 1 });
      await eventually(() => same(kinds.at(-1), 'added a'));
      await sdk.updateDoc(sdk.doc(db, at, 'a'), { n: 2 });
      await eventually(() => same(kinds.at(-1), 'modified a'));
      await sdk.deleteDoc(sdk.doc(db, at, 'a'));
      await eventually(() => same(kinds.at(-1), 'removed a'));
      stop();
    },
  },
  {
    name: 'live: a document comes, changes and goes',
    async run({ sdk, db, at, connect }) {
      const other = await connect();
      const seen: unknown[] = [];
      const stop = sdk.onSnapshot(sdk.doc(other, at, 'a'), (each) =>
        seen.push(each.data() ?? null),
      );
      await eventually(() => same(seen, [null]));
      const ref = sdk.doc(db, at, 'a');
      await sdk.setDoc(ref, { n: 1 });
      await eventually(() => same(seen.at(-1), { n: 1 }));
      await sdk.deleteDoc(ref);
      await eventually(() => same(seen.at(-1), null));
      stop();
    },
  },
  {
    name: 'live: all listeners of a client change together',
    async run(world) {
      const { sdk, at, connect, db } = world;
      await fill(world, { a: { n: 1 } });
      const other = await connect();
      const of = (n: number) => sdk.query(sdk.collection(other, at), sdk.where('n', '==', n));
      const one = watchQuery(sdk, of(1));
      const two = watchQuery(sdk, of(2));
      await one.until('a');
      await two.until('');
      await sdk.setDoc(sdk.doc(db, at, 'a'), { n: 2 });
      await one.until('');
      await two.until('a');
      one.stop();
      two.stop();
    },
  },
  {
    name: 'live: a refused listener is told, and does no harm to another',
    async run(world) {
      const { sdk, db, at } = world;
      const own = watchQuery(sdk, sdk.collection(db, at));
      const foreign = watchQuery(sdk, sdk.collection(db, 'forbidden'));
      await eventually(() => same(foreign.errors, ['permission-denied']));
      await fill(world, { a: {} });
      await own.until('a');
      own.stop();
    },
  },
  {
    name: 'live: a hundred listeners on one stream, and as many removed',
    async run(world) {
      const { sdk, at } = world;
      const db = await world.connect();
      await fill(
        world,
        Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`d${n}`, { n }])),
      );
      const watched = Array.from({ length: 100 }, (_, n) =>
        watchQuery(sdk, sdk.query(sdk.collection(db, at), sdk.where('n', '==', n))),
      );
      await Promise.all(watched.map(({ until }, n) => until(`d${n}`)));
      for (const { stop } of watched) stop();
      same((await sdk.getDocFromServer(sdk.doc(db, at, 'd7'))).exists(), true);
    },
  },
];

async function works(world: World, db: Firestore): Promise<void> {
  const { sdk, at } = world;
  const { until, stop } = watchQuery(sdk, sdk.collection(db, at));
  await until('');
  await sdk.setDoc(sdk.doc(db, at, 'a'), { n: 1 });
  await until('a');
  await sdk.updateDoc(sdk.doc(db, at, 'a'), { n: sdk.increment(1) });
  same((await sdk.getDocFromServer(sdk.doc(db, at, 'a'))).data(), { n: 2 });
  stop();
}

const transports: readonly Case[] = [
  {
    name: 'forced long polling',
    async run(world) {
      await works(world, await world.connect({ experimentalForceLongPolling: true }));
    },
  },
  {
    name: 'forced long polling with a short time-out goes on over it',
    async run(world) {
      const { sdk, at, connect } = world;
      const db = await connect({
        experimentalForceLongPolling: true,
        experimentalLongPollingOptions: { timeoutSeconds: 5 },
      });
      await works(world, db);
      const { until, errors, stop } = watchQuery(sdk, sdk.collection(db, at));
      await until('a');
      await sdk.deleteDoc(sdk.doc(db, at, 'a'));
      await until('');
      stop();
      same(errors, []);
    },
  },
];

const offline: readonly Case[] = [
  {
    name: 'offline: writes are seen at once, wait, and are sent in order',
    async run({ sdk, at, db: online, connect }) {
      const db = await connect();
      const ref = sdk.doc(db, at, 'a');
      const { seen, stop } = watchQuery(sdk, sdk.collection(online, at));
      await sdk.disableNetwork(db);
      const pending = [
        sdk.setDoc(ref, { n: 1 }),
        ...[1, 1, 1].map((by) => sdk.updateDoc(ref, { n: sdk.increment(by) })),
      ];
      same((await sdk.getDocFromCache(ref)).data(), { n: 4 });
      await refused(sdk.getDocFromServer(ref), 'unavailable');
      let isSent = false;
      const sent = sdk.waitForPendingWrites(db).then(() => (isSent = true));
      same(isSent, false);
      await sdk.enableNetwork(db);
      await Promise.all([...pending, sent]);
      same((await sdk.getDocFromServer(sdk.doc(online, at, 'a'))).data(), { n: 4 });
      await eventually(() => same(seen.at(-1), 'a'));
      stop();
    },
  },
  {
    name: 'offline: a refused write is rolled back, those after it are sent once',
    async run({ sdk, at, connect }) {
      const db = await connect();
      const ref = sdk.doc(db, at, 'a');
      await sdk.disableNetwork(db);
      const first = sdk.setDoc(ref, { n: 0 });
      const before = [1, 1].map(() => sdk.updateDoc(ref, { n: sdk.increment(1) }));
      const bad = refused(sdk.setDoc(sdk.doc(db, 'forbidden/a'), {}), 'permission-denied');
      const after = [1, 1, 1].map(() => sdk.updateDoc(ref, { n: sdk.increment(1) }));
      await sdk.enableNetwork(db);
      await Promise.all([first, ...before, bad, ...after]);
      same((await sdk.getDocFromServer(ref)).data(), { n: 5 });
    },
  },
  {
    name: 'offline: a batch of more than 10 MiB is refused, and does not block the next write',
    async run({ sdk, at, connect }) {
      const db = await connect();
      const batch = sdk.writeBatch(db);
      const text = 'x'.repeat(1_000_000);
      for (let n = 0; n < 11; n++) batch.set(sdk.doc(db, at, `d${n}`), { text });
      await refused(batch.commit(), 'invalid-argument');
      await sdk.setDoc(sdk.doc(db, at, 'a'), { n: 1 });
      same(idsOf(await sdk.getDocsFromServer(sdk.collection(db, at))), 'a');
    },
  },
  {
    name: 'offline: a listener catches up with what changed, came and went meanwhile',
    async run(world) {
      const { sdk, db: other, at, connect } = world;
      const db = await connect();
      await fill(world, abc);
      const { until, errors, stop } = watchQuery(
        sdk,
        sdk.query(sdk.collection(db, at), sdk.orderBy('n')),
      );
      await until('a b c d');
      await sdk.disableNetwork(db);
      await sdk.deleteDoc(sdk.doc(other, at, 'a'));
      await sdk.setDoc(sdk.doc(other, at, 'b'), { n: 9 });
      await sdk.setDoc(sdk.doc(other, at, 'e'), { n: 0 });
      await sdk.enableNetwork(db);
      await until('e c d b');
      stop();
      same(errors, []);
    },
  },
];

export const listenCases = [...windows, ...clients, ...transports, ...offline];
