import { invalid, fill, refused, same, type SharedCase } from './world.ts';

export const documentCases: readonly SharedCase[] = [
  {
    name: 'every type of value comes back as it was',
    async run({ sdk, db, at }) {
      const { Bytes, GeoPoint, Timestamp } = sdk;
      const data = {
        nothing: null,
        yes: true,
        whole: 9_007_199_254_740_991,
        negative: -5,
        part: 1.5,
        minusZero: -0,
        notANumber: Number.NaN,
        infinite: -Infinity,
        text: 'Ünïcödé 🐕 \u0000 "\\',
        bytes: Bytes.fromUint8Array(new Uint8Array([0, 1, 254, 255])),
        when: new Timestamp(1_700_000_000, 123_456_000),
        early: new Timestamp(-62_135_596_800, 0),
        where: new GeoPoint(-90, 180),
        zero: new GeoPoint(0, 0),
        list: [1, 'two', { three: [3] }, null],
        emptyList: [],
        map: { a: { b: { c: 1 } }, empty: {} },
        reference: sdk.doc(db, 'other/one'),
        embedding: sdk.vector([1, 2.5, -3]),
      };
      const ref = sdk.doc(db, at, 'a');
      await sdk.setDoc(ref, data);
      const found = (await sdk.getDoc(ref)).data() ?? {};
      const { reference, ...rest } = data;
      const { reference: foundReference, ...foundRest } = found;
      same(foundRest, rest);
      same(foundReference?.path, reference.path);
    },
  },
  {
    name: 'a timestamp is kept to the microsecond, rounded down',
    async run({ sdk, db, at }) {
      const ref = sdk.doc(db, at, 'a');
      await sdk.setDoc(ref, {
        t: new sdk.Timestamp(5, 123_456_789),
        l: [new sdk.Timestamp(5, 999)],
      });
      const { t, l } = (await sdk.getDoc(ref)).data() ?? {};
      same([t.nanoseconds, l[0].nanoseconds], [123_456_000, 0]);
    },
  },
  {
    name: 'names that mean something to JavaScript are names like any other',
    async run({ sdk, db, at }) {
      const ref = sdk.doc(db, at, 'constructor');
      const data = { constructor: 1, toString: 'x', m: { prototype: [1], valueOf: 2 } };
      await sdk.setDoc(ref, data);
      same((await sdk.getDoc(ref)).data(), data);
    },
  },
  {
    name: 'field names with dots, spaces and backticks are found again',
    async run({ sdk, db, at }) {
      const ref = sdk.doc(db, at, 'a');
      await sdk.setDoc(ref, { 'a b': 1, 'a`b\\': 2, 'ä.ö': 3, a: { b: 4 } });
      await sdk.setDoc(ref, { 'a`b\\': 5, 'ä.ö': 6 }, { merge: true });
      same((await sdk.getDoc(ref)).data(), { 'a b': 1, 'a`b\\': 5, 'ä.ö': 6, a: { b: 4 } });
    },
  },
  {
    name: 'a document that is not there does not exist, and can be deleted',
    async run({ sdk, db, at }) {
      const ref = sdk.doc(db, at, 'none');
      same((await sdk.getDoc(ref)).exists(), false);
      await sdk.deleteDoc(ref);
      await refused(sdk.updateDoc(ref, { a: 1 }), 'not-found');
    },
  },
  {
    name: 'set replaces, merge adds, mergeFields takes what it names',
    async run({ sdk, db, at }) {
      const ref = sdk.doc(db, at, 'a');
      await sdk.setDoc(ref, { a: 1, m: { x: 1, y: 2 } });
      await sdk.setDoc(ref, { m: { y: 3 }, b: 2 }, { merge: true });
      same((await sdk.getDoc(ref)).data(), { a: 1, b: 2, m: { x: 1, y: 3 } });
      await sdk.setDoc(ref, { a: 9, b: 9, m: { z: 9 } }, { mergeFields: ['b', 'm.z'] });
      same((await sdk.getDoc(ref)).data(), { a: 1, b: 9, m: { x: 1, y: 3, z: 9 } });
      await sdk.setDoc(ref, { c: 1 });
      same((await sdk.getDoc(ref)).data(), { c: 1 });
    },
  },
  {
    name: 'update changes nested fields and deletes fields',
    async run({ sdk, db, at }) {
      const ref = sdk.doc(db, at, 'a');
      await sdk.setDoc(ref, { m: { x: 1, y: 2 }, gone: 1, n: 5 });
      await sdk.updateDoc(ref, { 'm.x': 10, gone: sdk.deleteField(), 'new.deep.field': true });
      same((await sdk.getDoc(ref)).data(), {
        m: { x: 10, y: 2 },
        n: 5,
        new: { deep: { field: true } },
      });
    },
  },
  {
    name: 'addDoc makes an id, and a second create of it is refused',
    async run({ sdk, db, at }) {
      const ref = await sdk.addDoc(sdk.collection(db, at), { a: 1 });
      same(ref.id.length, 20);
      same((await sdk.getDoc(ref)).data(), { a: 1 });
    },
  },
  {
    name: 'increments add, of every kind of number, and replace what is none',
    async run({ sdk, db, at }) {
      const ref = sdk.doc(db, at, 'a');
      await sdk.setDoc(ref, { whole: 1, part: 1.5, text: 'x' });
      const by = (n: number) => sdk.increment(n);
      await sdk.updateDoc(ref, { whole: by(2), part: by(1), text: by(3), missing: by(-4) });
      await sdk.updateDoc(ref, { whole: by(0.5) });
      same((await sdk.getDoc(ref)).data(), { whole: 3.5, part: 2.5, text: 3, missing: -4 });
    },
  },
  {
    name: 'arrays are united and reduced by value',
    async run({ sdk, db, at }) {
      const ref = sdk.doc(db, at, 'a');
      await sdk.setDoc(ref, { l: [1, { a: 1 }, 'x', 1], other: 5 });
      await sdk.updateDoc(ref, {
        l: sdk.arrayUnion(1, { a: 1 }, 'y', 'y'),
        other: sdk.arrayUnion('z'),
        missing: sdk.arrayRemove(1),
      });
      same((await sdk.getDoc(ref)).data(), {
        l: [1, { a: 1 }, 'x', 1, 'y'],
        other: ['z'],
        missing: [],
      });
      await sdk.updateDoc(ref, { l: sdk.arrayRemove(1, { a: 1 }) });
      same((await sdk.getDoc(ref)).data()?.['l'], ['x', 'y']);
    },
  },
  {
    name: 'the server time is one for a whole batch, in milliseconds, and rises',
    async run({ sdk, db, at }) {
      const times: number[] = [];
      for (let round = 0; round < 3; round++) {
        const batch = sdk.writeBatch(db);
        batch.set(sdk.doc(db, at, 'a'), { t: sdk.serverTimestamp() });
        batch.set(sdk.doc(db, at, 'b'), { deep: { t: sdk.serverTimestamp() } });
        await batch.commit();
        const a = (await sdk.getDoc(sdk.doc(db, at, 'a'))).data()?.['t'];
        const b = (await sdk.getDoc(sdk.doc(db, at, 'b'))).data()?.['deep'].t;
        same([a.nanoseconds % 1_000_000, a.isEqual(b)], [0, true]);
        times.push(a.toMillis());
      }
      same(
        times,
        times.toSorted((one, other) => one - other),
      );
    },
  },
  {
    name: 'a batch is whole or absent, and its writes see each other',
    async run({ sdk, db, at }) {
      const ref = (id: string) => sdk.doc(db, at, id);
      const good = sdk.writeBatch(db);
      good.set(ref('a'), { n: 1 }).update(ref('a'), { n: sdk.increment(1) });
      good.set(ref('b'), { n: 1 }).delete(ref('b'));
      await good.commit();
      same((await sdk.getDoc(ref('a'))).data(), { n: 2 });
      same((await sdk.getDoc(ref('b'))).exists(), false);
      const bad = sdk.writeBatch(db);
      bad.set(ref('c'), { n: 1 }).update(ref('none'), { n: 1 });
      await refused(bad.commit(), 'not-found');
      same((await sdk.getDoc(ref('c'))).exists(), false);
    },
  },
  {
    name: 'a batch has no fixed number of writes',
    async run(world) {
      const { sdk, db, at } = world;
      await fill(
        world,
        Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`d${n}`, { n }])),
      );
      same((await sdk.getCountFromServer(sdk.collection(db, at))).data().count, 600);
    },
  },
  {
    name: 'transactions that meet are repeated, so that no increment is lost',
    async run({ sdk, db, at }) {
      const ref = sdk.doc(db, at, 'a');
      await sdk.setDoc(ref, { n: 0 });
      const raise = () =>
        sdk.runTransaction(db, async (transaction) => {
          const n = (await transaction.get(ref)).data()?.['n'];
          transaction.update(ref, { n: n + 1 });
        });
      await Promise.all([raise(), raise(), raise()]);
      same((await sdk.getDoc(ref)).data(), { n: 3 });
    },
  },
  {
    name: 'a transaction that throws leaves nothing',
    async run({ sdk, db, at }) {
      const ref = sdk.doc(db, at, 'a');
      const failing = sdk.runTransaction(db, async (transaction) => {
        await transaction.get(ref);
        transaction.set(ref, { n: 1 });
        throw Object.assign(new Error('no'), { code: 'mine' });
      });
      await refused(failing, 'mine');
      same((await sdk.getDoc(ref)).exists(), false);
    },
  },
  {
    name: 'a transaction creates, updates and deletes together',
    async run({ sdk, db, at }) {
      const ref = (id: string) => sdk.doc(db, at, id);
      await sdk.setDoc(ref('old'), { n: 1 });
      await sdk.runTransaction(db, async (transaction) => {
        const old = await transaction.get(ref('old'));
        transaction.set(ref('new'), { n: old.data()?.['n'] + 1 });
        transaction.delete(ref('old'));
      });
      same((await sdk.getDoc(ref('new'))).data(), { n: 2 });
      same((await sdk.getDoc(ref('old'))).exists(), false);
    },
  },
  {
    name: 'what the rules refuse is permission-denied, for reading, writing and listing',
    async run({ sdk, db }) {
      const ref = sdk.doc(db, 'forbidden/a');
      await refused(sdk.getDoc(ref), 'permission-denied');
      await refused(sdk.setDoc(ref, {}), 'permission-denied');
      await refused(sdk.getDocs(sdk.collection(db, 'forbidden')), 'permission-denied');
      await refused(sdk.getCountFromServer(sdk.collection(db, 'forbidden')), 'permission-denied');
    },
  },
  {
    name: 'a document of more than 1 MiB, an id too long and nesting too deep are invalid-argument',
    async run({ sdk, db, at }) {
      const set = (id: string, data: object) => sdk.setDoc(sdk.doc(db, at, id), data);
      await refused(set('a', { text: 'x'.repeat(1_048_577) }), invalid);
      await set('b', { text: 'x'.repeat(1_048_000) });
      await refused(set('x'.repeat(1501), {}), invalid);
      let deep: object = {};
      for (let level = 0; level < 21; level++) deep = { deep };
      await refused(set('c', deep), invalid);
      await refused(set('d', { ['x'.repeat(1501)]: 1 }), invalid);
    },
  },
];
