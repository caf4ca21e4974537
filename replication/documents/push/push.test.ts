import { describe, expect, it } from 'vitest';
import { asDeleted, withEdit } from '../../../schemas/documents/document.ts';
import { checkpointId } from '../../../schemas/local/local-record.ts';
import { newEntry, newPet } from '../../../tests/support/fixtures/sync-documents.ts';
import {
  createSyncWorld,
  find,
  uid,
  type TestDevice,
} from '../../../tests/support/setups/sync-setup.ts';
import {
  RemoteError,
  type DocumentRef,
  type RemoteDocument,
  type RemoteDocuments,
  type RemoteWrite,
} from '../../ports.ts';

/** Runs `meanwhile` between the commit and its answer. */
function whileAnswering(meanwhile: () => void): (remote: RemoteDocuments) => RemoteDocuments {
  return (remote) => ({
    ...remote,
    transact: async (refs, decide) => {
      const result = await remote.transact(refs, decide);
      meanwhile();
      return result;
    },
  });
}

/** Loses the answer of the first commits. */
function losingAnswers(count: number): (remote: RemoteDocuments) => RemoteDocuments {
  let left = count;
  return (remote) => ({
    ...remote,
    transact: async (refs, decide) => {
      const result = await remote.transact(refs, decide);
      left -= 1;
      if (left >= 0) throw new RemoteError('transient', 'unavailable');
      return result;
    },
  });
}

function bad({ fields }: RemoteWrite): string | null {
  return String(fields['name'] ?? fields['text']).includes('bad') ? 'invalid-argument' : null;
}

describe('a push', () => {
  it('D2.1 writes live pets, then entries, then deleted pets', async () => {
    const world = createSyncWorld();
    const order: string[] = [];
    world.server.refuse(({ id }) => {
      order.push(id);
      return null;
    });
    const phone = world.device();
    phone.store.put(asDeleted(newPet('a-gone')));
    phone.store.put(newPet('z-live'));
    phone.store.put(newEntry({ id: 'm-entry', petId: 'z-live' }));
    await phone.sync();
    expect(order).toEqual(['z-live', 'm-entry', 'a-gone']);
  });

  it('D2.2 holds to the limits of a commit, which reads nothing but the head', async () => {
    const world = createSyncWorld();
    const sizes: number[] = [];
    const read: DocumentRef[] = [];
    const phone = world.device({
      wrapRemote: (remote) => ({
        ...remote,
        transact: (refs, decide) => {
          read.push(...refs);
          return remote.transact(refs, (view) => {
            const plan = decide(view);
            sizes.push(plan.writes.length);
            return plan;
          });
        },
      }),
    });
    for (let index = 0; index < 20; index += 1) phone.store.put(newPet(`p${String(index)}`));
    for (let index = 0; index < 150; index += 1) {
      phone.store.put(newEntry({ id: `e${String(index).padStart(3, '0')}`, petId: 'p0' }));
    }
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 170 });
    // The last four pets with the entries that fit, and the other entries.
    expect(sizes).toEqual([8, 8, 100, 54]);
    expect(read).toEqual([]);
  });

  it('D2.7 marks what was written clean, with its seq and without a base', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    phone.store.put(newPet('p1'));
    await phone.sync();
    phone.store.put(withEdit(find(phone, 'pets', 'p1'), { name: 'Max' }, 2_000));
    await phone.sync();
    const expected = { pending: 0, seq: 2, base: null, code: null, rev: 2 };
    expect(find(phone, 'pets', 'p1')).toMatchObject(expected);
  });

  it('D2.8 leaves an edit made meanwhile waiting, forked from what was pushed', async () => {
    const world = createSyncWorld();
    let edits = 0;
    const phone: TestDevice = world.device({
      wrapRemote: whileAnswering(() => {
        edits += 1;
        if (edits > 1) return;
        phone.store.put(withEdit(find(phone, 'pets', 'p1'), { name: 'Later' }, 2_000));
      }),
      rules: { afterCommit: (checkpoint, { after }) => ({ ...checkpoint, epoch: after.epoch }) },
    });
    phone.store.put(newPet('p1'));
    await phone.sync();
    const waiting = find(phone, 'pets', 'p1');
    expect(waiting.fields).toEqual({ name: 'Later' });
    await phone.sync();
    expect(find(phone, 'pets', 'p1')).toMatchObject({ pending: 0, fields: { name: 'Later' } });
    expect(world.server.snapshot().documents.get('pets/p1')?.fields).toEqual({ name: 'Later' });
    expect(
      [...phone.store.records().keys()].filter((id) => id.startsWith('conflict-version')),
    ).toEqual([]);
  });

  it('D2.9 reads again what was written, if another engine moved the copy back meanwhile', async () => {
    const world = createSyncWorld();
    const moveBack = (): void => {
      const copy = phone.store.documents('pets').find(({ id }) => id === 'p2');
      if (!copy) return;
      phone.store.put({ ...copy, seq: 1, pending: 0, base: null, fields: { name: 'As it was' } });
    };
    const phone: TestDevice = world.device({ wrapRemote: whileAnswering(moveBack) });
    phone.store.put(newPet('p1'));
    await phone.sync();
    phone.store.put(newPet('p2', { name: 'Rex' }));
    await phone.sync();
    expect(find(phone, 'pets', 'p2')).toMatchObject({ seq: 2, fields: { name: 'Rex' } });
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 0 });
  });

  it('D2.15 is harmless when it is repeated after a lost answer', async () => {
    const world = createSyncWorld();
    const phone = world.device({ wrapRemote: losingAnswers(1) });
    phone.store.put(newPet('p1'));
    phone.store.put(newEntry({ id: 'e1', petId: 'p1' }));
    expect(await phone.sync()).toMatchObject({ kind: 'transient', problem: 'unavailable' });
    expect(find(phone, 'pets', 'p1').pending).toBe(1);
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 0 });
    expect(find(phone, 'entries', 'e1')).toMatchObject({ pending: 0, seq: 2 });
    expect(world.server.snapshot().heads.get(uid)).toMatchObject({ head: 2 });
  });

  it('D2.15 is harmless from two tabs at once', async () => {
    const world = createSyncWorld();
    const first = world.device();
    const other = world.device({ wrapStore: () => first.store });
    first.store.put(newPet('p1'));
    first.store.put(newEntry({ id: 'e1', petId: 'p1' }));
    await Promise.all([first.sync(), other.sync()]);
    await first.sync();
    expect(world.server.snapshot().documents.size).toBe(2);
    expect(find(first, 'entries', 'e1').pending).toBe(0);
  });

  it('D2.16 skips documents that cannot be pushed now', async () => {
    const world = createSyncWorld();
    world.server.refuse(bad);
    const phone = world.device();
    phone.store.put(newPet('p0', { name: 'bad' }));
    for (let index = 0; index < 250; index += 1) {
      phone.store.put(newEntry({ id: `a${String(index).padStart(3, '0')}`, petId: 'p0' }));
    }
    phone.store.put(newPet('p1'));
    phone.store.put(newEntry({ id: 'z', petId: 'p1' }));
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 2, parked: 1 });
    expect(find(phone, 'entries', 'z').pending).toBe(0);
    expect(find(phone, 'entries', 'a000').pending).toBe(1);
  });
});

describe('the checkpoint after a push', () => {
  /** A device whose clock is an hour behind, and the number of its queries. */
  function lateDevice(
    read: (found: readonly RemoteDocument[]) => RemoteDocument[] = (all) => [...all],
  ) {
    const world = createSyncWorld();
    const queries: number[] = [];
    const phone = world.device({
      now: () => world.time.nowMs - 3_600_000,
      wrapRemote: (remote) => ({
        ...remote,
        pull: async (collection, afterSeq, limit) => {
          queries.push(limit);
          const found = await remote.pull(collection, afterSeq, limit);
          return limit === 1 ? read(found) : found;
        },
      }),
    });
    phone.store.put(newPet('p1'));
    return { phone, queries };
  }

  it('D3.11 skips our own documents, of which the first is read back for its time', async () => {
    const { phone, queries } = lateDevice();
    await phone.sync();
    expect(phone.store.records().get('device')).toMatchObject({ clockOffsetMs: 3_600_000 });
    expect(queries.filter((limit) => limit === 1)).toHaveLength(1);
    const queriesBefore = queries.length;
    phone.store.put(newPet('p2'));
    await phone.sync();
    expect(queries).toHaveLength(queriesBefore);
    expect(phone.store.records().get(checkpointId)).toMatchObject({ seq: { pets: 2, entries: 2 } });
  });

  it.each<[string, (found: readonly RemoteDocument[]) => RemoteDocument[]]>([
    ['it is gone', () => []],
    ['another has taken its place', (all) => all.map((found) => ({ ...found, seq: 9 }))],
    ['it has no time', (all) => all.map((found) => ({ ...found, updatedAtMs: null }))],
  ])('D3.11 measures with the next push if %s when it is read back', async (_, read) => {
    const { phone, queries } = lateDevice(read);
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 1 });
    expect(phone.store.records().get('device')).toBeUndefined();
    phone.store.put(newPet('p2'));
    await phone.sync();
    expect(queries.filter((limit) => limit === 1)).toHaveLength(2);
  });
});
