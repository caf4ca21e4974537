import {
  addDoc,
  and,
  arrayRemove,
  arrayUnion,
  average,
  Bytes,
  collection,
  collectionGroup,
  count,
  deleteDoc,
  deleteField,
  doc,
  documentId,
  GeoPoint,
  getAggregate,
  getDoc,
  getDocs,
  increment,
  limit,
  or,
  orderBy,
  query,
  runTransaction,
  serverTimestamp,
  setDoc,
  startAfter,
  sum,
  Timestamp,
  updateDoc,
  vector,
  where,
  writeBatch,
  type Query,
} from 'firebase/firestore/lite';
import { describe, expect, it } from 'vitest';
import { liteApp, liteUser } from '../support/clients/lite-user.ts';
import { startBackend } from '../support/servers/start-backend.ts';

const idsOf = async (asked: Query) => (await getDocs(asked)).docs.map((each) => each.id).join('');
const code = (wanted: string) => ({ code: wanted });

async function setUp() {
  const backend = await startBackend();
  return { backend, ...(await liteUser(backend.port)) };
}

describe('firebase/firestore/lite', () => {
  it('gives back every type of value as it was stored', async () => {
    const { db, uid } = await setUp();
    const data = {
      ownerId: uid,
      nothing: null,
      yes: true,
      whole: 42,
      large: Number.MAX_SAFE_INTEGER,
      fraction: 1.5,
      infinite: Infinity,
      negativeZero: -0,
      text: 'Käthe 😀 %41 "quoted" \u0000',
      time: new Timestamp(1_700_000_000, 123_456_000),
      bytes: Bytes.fromUint8Array(new Uint8Array([0, 255, 1])),
      place: new GeoPoint(1.5, -170),
      list: [1, 'a', { deep: [true] }],
      map: { 'odd.key': 1, constructor: 2, '`': 3 },
      vector: vector([1, 2.5]),
    };
    const pet = doc(db, 'pets/rex');
    await setDoc(pet, data);
    const stored = await getDoc(pet);
    expect(stored.data()).toEqual(data);
    expect(stored.get('fraction')).toBe(1.5);
  });

  it('updates nested fields, merges, deletes fields and applies transforms', async () => {
    const { db, uid } = await setUp();
    const pet = doc(db, 'pets/rex');
    await setDoc(pet, { ownerId: uid, a: { x: 1, y: 1 }, tags: ['a'], n: 1, old: 1 });
    await updateDoc(pet, {
      'a.x': 2,
      tags: arrayUnion('a', 'b'),
      n: increment(2),
      old: deleteField(),
      at: serverTimestamp(),
    });
    await setDoc(pet, { a: { z: 3 }, tags: arrayRemove('a') }, { merge: true });
    const data = (await getDoc(pet)).data();
    expect(data).toEqual({
      ownerId: uid,
      a: { x: 2, y: 1, z: 3 },
      tags: ['b'],
      n: 3,
      at: expect.any(Timestamp),
    });
    const at: unknown = data?.['at'];
    expect(at instanceof Timestamp && Math.abs(at.toMillis() - Date.now())).toBeLessThan(10_000);
  });

  it('asks queries with filters, order, cursors and limits', async () => {
    const { db, uid } = await setUp();
    const pets = collection(db, 'pets');
    const batch = writeBatch(db);
    for (const [n, id] of ['a', 'b', 'c', 'd'].entries()) {
      batch.set(doc(pets, id), {
        ownerId: uid,
        n,
        kind: n % 2 === 0 ? 'dog' : 'cat',
        tags: [id, 'all'],
      });
    }
    await batch.commit();
    const own = where('ownerId', '==', uid);
    expect(await idsOf(query(pets, own))).toBe('abcd');
    expect(await idsOf(query(pets, own, where('n', '>', 0), orderBy('n', 'desc'), limit(2)))).toBe(
      'dc',
    );
    expect(await idsOf(query(pets, own, where('kind', 'in', ['dog', 'cow'])))).toBe('ac');
    expect(await idsOf(query(pets, own, where('kind', 'not-in', ['dog'])))).toBe('bd');
    expect(await idsOf(query(pets, own, where('tags', 'array-contains-any', ['b', 'c'])))).toBe(
      'bc',
    );
    expect(await idsOf(query(pets, own, where(documentId(), 'in', ['d', 'a', 'x'])))).toBe('ad');
    expect(await idsOf(query(pets, own, orderBy('n'), startAfter(1)))).toBe('cd');
    expect(
      await idsOf(query(pets, and(own, or(where('n', '==', 0), where('kind', '==', 'cat'))))),
    ).toBe('abd');
  });

  it('pages through a collection group by sequence', async () => {
    const { db, uid } = await setUp();
    await setDoc(doc(db, 'pets/rex'), { ownerId: uid });
    const batch = writeBatch(db);
    for (let seq = 1; seq <= 25; seq++) {
      batch.set(doc(db, 'pets/rex/journalEntries', `e${seq}`), { createdBy: uid, seq });
    }
    batch.set(doc(db, 'sync', uid), { head: 25, epoch: 'e' });
    await batch.commit();
    const seen: number[] = [];
    for (let page = 0; page < 3; page++) {
      const entries = query(
        collectionGroup(db, 'journalEntries'),
        where('createdBy', '==', uid),
        where('seq', '>', seen.at(-1) ?? 0),
        orderBy('seq'),
        limit(10),
      );
      for (const { data } of (await getDocs(entries)).docs.map((each) => ({ data: each.data() }))) {
        seen.push(Number(data['seq']));
      }
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => at + 1));
  });

  it('counts, sums and averages', async () => {
    const { db, uid } = await setUp();
    const pets = collection(db, 'pets');
    for (const n of [1, 2, 4.5]) await addDoc(pets, { ownerId: uid, n });
    await addDoc(pets, { ownerId: uid });
    const own = query(pets, where('ownerId', '==', uid));
    expect((await getAggregate(own, { all: count() })).data()).toEqual({ all: 4 });
    const several = { all: count(), sum: sum('n'), average: average('n') };
    expect((await getAggregate(own, several)).data()).toEqual({ all: 3, sum: 7.5, average: 2.5 });
  });

  it('runs transactions that retry on a conflict until both are done', async () => {
    const { backend, db, uid } = await setUp();
    const head = doc(db, 'sync', uid);
    let attempts = 0;
    const raise = () =>
      runTransaction(db, async (transaction) => {
        attempts++;
        const value: unknown = (await transaction.get(head)).get('head');
        transaction.set(head, { head: (typeof value === 'number' ? value : 0) + 1, epoch: 'e' });
      });
    await Promise.all([raise(), raise(), raise()]);
    expect(backend.firestore.get(`sync/${uid}`)).toEqual({ head: 3, epoch: 'e' });
    expect(attempts).toBeGreaterThan(3);
  });

  it('a stale transaction is a conflict, not a refusal by the policy on the sequence', async () => {
    const { backend, db, uid } = await setUp();
    const head = doc(db, 'sync', uid);
    const push = (id: string) =>
      runTransaction(db, async (transaction) => {
        const value: unknown = (await transaction.get(head)).get('head');
        const seq = (typeof value === 'number' ? value : 0) + 1;
        transaction.set(doc(db, 'pets', id), { ownerId: uid, seq });
        transaction.set(head, { head: seq, epoch: 'e' });
      });
    await Promise.all([push('a'), push('b'), push('c')]);
    const seqs = ['a', 'b', 'c'].map((id) => backend.firestore.get(`pets/${id}`)?.['seq']);
    expect(new Set(seqs)).toEqual(new Set([1, 2, 3]));
  });

  it('tells missing documents, conflicts and refusals apart', async () => {
    const { backend, db, uid } = await setUp();
    await backend.firestore.commit([{ set: 'pets/foreign', data: { ownerId: 'somebody' } }]);
    await setDoc(doc(db, 'pets/own'), { ownerId: uid });
    expect((await getDoc(doc(db, 'pets/none'))).exists()).toBe(false);
    await expect(updateDoc(doc(db, 'pets/none'), { n: 1 })).rejects.toMatchObject(
      code('not-found'),
    );
    await expect(getDoc(doc(db, 'pets/foreign'))).rejects.toMatchObject(code('permission-denied'));
    await expect(updateDoc(doc(db, 'pets/foreign'), { n: 1 })).rejects.toMatchObject(
      code('permission-denied'),
    );
    await expect(deleteDoc(doc(db, 'pets/own'))).rejects.toMatchObject(code('permission-denied'));
    await expect(getDocs(collection(db, 'pets'))).rejects.toMatchObject(code('permission-denied'));
    await expect(getDocs(collection(db, 'users'))).rejects.toMatchObject(code('permission-denied'));
    expect(await idsOf(query(collection(db, 'organizations')))).toBe('');
  });

  it('answers nobody who is not signed in', async () => {
    const { backend } = await setUp();
    const { db } = liteApp(backend.port);
    await expect(getDocs(collection(db, 'organizations'))).rejects.toMatchObject(
      code('permission-denied'),
    );
    await expect(setDoc(doc(db, 'pets/a'), {})).rejects.toMatchObject(code('permission-denied'));
  });
});
