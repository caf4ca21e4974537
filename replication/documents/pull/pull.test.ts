import { describe, expect, it } from 'vitest';
import { withEdit } from '../../../schemas/documents/document.ts';
import { checkpointId, type Checkpoint } from '../../../schemas/local/local-record.ts';
import { newEntry, newPet } from '../../../tests/support/fixtures/sync-documents.ts';
import {
  createSyncWorld,
  find,
  uid,
  type SyncWorld,
  type TestDevice,
} from '../../../tests/support/setups/sync-setup.ts';
import { RemoteError, type RemoteDocuments } from '../../ports.ts';

function checkpointOf(device: TestDevice): Checkpoint {
  const record = device.store.records().get(checkpointId);
  if (record?.kind !== 'checkpoint') throw new Error('no checkpoint');
  return record;
}

/** Fails every call of one method after the first `count`. */
function failingAfter(
  method: 'pull' | 'readHead',
  calls: number,
): (remote: RemoteDocuments) => RemoteDocuments {
  let left = calls;
  const fail = () => Promise.reject(new RemoteError('transient', 'unavailable'));
  return (remote) => {
    const spend = (): boolean => {
      left -= 1;
      return left < 0;
    };
    if (method === 'readHead') {
      return { ...remote, readHead: () => (spend() ? fail() : remote.readHead()) };
    }
    return { ...remote, pull: (...args) => (spend() ? fail() : remote.pull(...args)) };
  };
}

async function worldWithPets(count: number): Promise<{ world: SyncWorld; phone: TestDevice }> {
  const world = createSyncWorld();
  const phone = world.device();
  for (let index = 0; index < count; index += 1) phone.store.put(newPet(`p${String(index)}`));
  await phone.sync();
  return { world, phone };
}

describe('a pull', () => {
  it('D3.1 goes page by page and remembers each page that is stored', async () => {
    const { world } = await worldWithPets(5);
    const tablet = world.device({ pullPageSize: 2, wrapRemote: failingAfter('pull', 2) });
    expect(await tablet.sync()).toMatchObject({ problem: 'unavailable' });
    expect(tablet.store.documents('pets')).toHaveLength(4);
    expect(checkpointOf(tablet)).toMatchObject({ seq: { pets: 4, entries: 0 }, complete: false });
  });

  it('D3.1 tells how far the first one is, until it is complete', async () => {
    const { world } = await worldWithPets(5);
    const tablet = world.device({ pullPageSize: 2, wrapRemote: failingAfter('pull', 2) });
    await tablet.sync();
    expect(checkpointOf(tablet)).toMatchObject({ firstPullUntil: 5, complete: false });
    const whole = world.device({ pullPageSize: 2 });
    await whole.sync();
    expect(checkpointOf(whole)).toMatchObject({ complete: true });
    expect(checkpointOf(whole)).not.toHaveProperty('firstPullUntil');
  });

  it('D3.1 stores documents together with the checkpoint that says so', async () => {
    const { world } = await worldWithPets(3);
    let isFull = true;
    const tablet: TestDevice = world.device({
      wrapStore: (store) => ({
        ...store,
        commit: (writes) =>
          isFull && (writes.swaps ?? []).length > 0
            ? Promise.reject(new Error('The disk is full'))
            : store.commit(writes),
      }),
    });
    expect(await tablet.sync()).toMatchObject({ kind: 'defect' });
    expect(tablet.store.documents('pets')).toEqual([]);
    expect(checkpointOf(tablet)).toMatchObject({ seq: { pets: 0 }, complete: false });
    isFull = false;
    await tablet.sync();
    expect(tablet.store.documents('pets')).toHaveLength(3);
    expect(checkpointOf(tablet)).toMatchObject({ seq: { pets: 3 }, complete: true });
  });

  it('D12.1 is complete only when both collections were read to the end', async () => {
    const { world } = await worldWithPets(1);
    const tablet = world.device({ wrapRemote: failingAfter('pull', 1) });
    await tablet.sync();
    expect(checkpointOf(tablet)).toMatchObject({ complete: false, syncedAtMs: null });
    const other = world.device();
    await other.sync();
    expect(checkpointOf(other)).toMatchObject({ complete: true, syncedAtMs: world.time.nowMs });
  });

  it('D12.1 is complete on an empty account', async () => {
    const phone = createSyncWorld().device();
    await phone.sync();
    expect(checkpointOf(phone)).toMatchObject({ complete: true, epoch: null });
  });

  it('D3.3 moves both checkpoints to the head that was read before it', async () => {
    const { world } = await worldWithPets(2);
    const tablet = world.device();
    await tablet.sync();
    expect(checkpointOf(tablet).seq).toEqual({ pets: 2, entries: 2 });
  });

  it('D3.3 does not miss a commit that is made while it reads', async () => {
    const { world, phone } = await worldWithPets(1);
    let pulls = 0;
    const tablet = world.device({
      wrapRemote: (remote) => ({
        ...remote,
        pull: async (...args) => {
          const page = await remote.pull(...args);
          pulls += 1;
          if (pulls === 1) {
            phone.store.put(newPet('late'));
            await phone.sync();
          }
          return page;
        },
      }),
    });
    await tablet.sync();
    await tablet.sync();
    expect(tablet.store.documents('pets').map(({ id }) => id)).toEqual(['p0', 'late']);
  });

  it('D3.9 repairs no head that was moved after it was read', async () => {
    const { world, phone } = await worldWithPets(1);
    const epoch = world.server.snapshot().heads.get(uid)?.epoch;
    let isFirst = true;
    const tablet = world.device({
      wrapRemote: (remote) => ({
        ...remote,
        readHead: async () => {
          const head = await remote.readHead();
          if (isFirst) {
            isFirst = false;
            phone.store.put(newPet('late'));
            await phone.sync();
          }
          return head;
        },
      }),
    });
    await tablet.sync();
    expect(tablet.store.documents('pets')).toHaveLength(2);
    expect(world.server.snapshot().heads.get(uid)).toEqual({ head: 2, epoch });
  });

  it('D3.6 asks for the head alone when there is nothing new', async () => {
    const { world } = await worldWithPets(1);
    const tablet = world.device({ wrapRemote: failingAfter('pull', 2) });
    expect((await tablet.sync()).problem).toBeNull();
    expect((await tablet.sync()).problem).toBeNull();
  });

  it('D3.4 does not skip to its own commit if somebody else came before', async () => {
    const { world, phone } = await worldWithPets(1);
    const tablet = world.device();
    await tablet.sync();
    phone.store.put(newPet('p1'));
    tablet.store.put(newPet('p2'));
    await phone.sync();
    await tablet.sync();
    expect(tablet.store.documents('pets')).toHaveLength(3);
  });
});

describe('a restored server', () => {
  async function restoredWorld() {
    const { world, phone } = await worldWithPets(2);
    const tablet = world.device();
    await tablet.sync();
    const snapshot = world.server.snapshot();
    phone.store.put(withEdit(find(phone, 'pets', 'p0'), { name: 'Later' }, 2_000));
    phone.store.put(newPet('new'));
    phone.store.put(newEntry({ id: 'e0', petId: 'p0' }));
    await phone.sync();
    await tablet.sync();
    world.server.restore(snapshot);
    return { world, phone, tablet };
  }

  async function expectHealed(world: SyncWorld, devices: readonly TestDevice[]): Promise<void> {
    for (const device of [...devices, ...devices]) {
      expect(await device.sync()).toMatchObject({ problem: null });
    }
    const { documents, heads } = world.server.snapshot();
    expect(documents.get('pets/p0')?.fields).toEqual({ name: 'Later' });
    expect(documents.get('pets/new')).toBeDefined();
    expect(documents.get('entries/e0')).toBeDefined();
    for (const device of devices) {
      const copies = [...device.store.documents('pets'), ...device.store.documents('entries')];
      expect(copies).toHaveLength(documents.size);
      expect(copies.every(({ pending }) => pending === 0)).toBe(true);
      expect(checkpointOf(device)).toMatchObject({ epoch: heads.get(uid)?.epoch, complete: true });
    }
  }

  it('D3.7 under another epoch gets back what it lost', async () => {
    const { world, phone, tablet } = await restoredWorld();
    world.server.setHead(uid, { head: 2, epoch: 'restored' });
    await expectHealed(world, [phone, tablet]);
    expect(world.server.snapshot().heads.get(uid)?.epoch).toBe('restored');
  });

  it('D3.7 under another epoch gets back what it lost, also after a device of the backup has written more', async () => {
    const { world, phone, tablet } = await restoredWorld();
    world.server.setHead(uid, { head: 2, epoch: 'restored' });
    const laptop = world.device();
    for (const id of ['l1', 'l2', 'l3']) laptop.store.put(newPet(id));
    await laptop.sync();
    await expectHealed(world, [tablet, phone, laptop]);
    for (const device of [phone, tablet, laptop]) {
      expect(device.store.documents('pets')).toHaveLength(6);
    }
  });

  it('D3.7 is noticed by a push as well, before it writes', async () => {
    const { world, phone, tablet } = await restoredWorld();
    world.server.setHead(uid, { head: 2, epoch: 'before' });
    await phone.sync();
    await tablet.sync();
    phone.store.put(newPet('p9'));
    const late = world.device({
      wrapStore: () => phone.store,
      wrapRemote: (remote) => {
        let isFirst = true;
        return {
          ...remote,
          transact: (refs, decide) => {
            const { head } = world.server.snapshot().heads.get(uid) ?? { head: 0 };
            if (isFirst) world.server.setHead(uid, { head, epoch: 'restored meanwhile' });
            isFirst = false;
            return remote.transact(refs, decide);
          },
        };
      },
    });
    expect(await late.sync()).toMatchObject({ problem: null });
    expect(world.server.snapshot().documents.get('pets/p9')).toBeDefined();
    expect(checkpointOf(phone).epoch).toBe('restored meanwhile');
  });

  it('D3.8 with a lower head under the same epoch gets a new epoch first', async () => {
    const { world, phone, tablet } = await restoredWorld();
    const before = world.server.snapshot().heads.get(uid);
    await phone.sync();
    const after = world.server.snapshot().heads.get(uid);
    expect(after?.epoch).not.toBe(before?.epoch);
    await expectHealed(world, [phone, tablet]);
  });

  it('D3.8 gets the new epoch in a commit of its own', async () => {
    const { world, phone } = await restoredWorld();
    const offline = world.device({
      wrapStore: () => phone.store,
      wrapRemote: failingAfter('readHead', 1),
    });
    await offline.sync();
    const { heads, documents } = world.server.snapshot();
    expect(heads.get(uid)).toMatchObject({ head: 2 });
    expect(heads.get(uid)?.epoch).not.toBe(checkpointOf(phone).epoch);
    expect(documents.get('pets/new')).toBeUndefined();
  });

  it('D3.9 without a head gets one above every number in use', async () => {
    const { world, phone, tablet } = await restoredWorld();
    world.server.setHead(uid, null);
    await expectHealed(world, [tablet, phone]);
    const { documents, heads } = world.server.snapshot();
    const seqs = [...documents.values()].map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(seqs.length);
    expect(heads.get(uid)?.head).toBe(Math.max(...seqs));
  });

  it('D3.9 without a head is read once by the device that gives it one', async () => {
    const world = createSyncWorld();
    let pulled = 0;
    const phone = world.device({
      wrapRemote: (remote) => ({
        ...remote,
        pull: async (...page) => {
          const found = await remote.pull(...page);
          pulled += found.length;
          return found;
        },
      }),
    });
    phone.store.put(newPet('p1'));
    phone.store.put(newEntry({ id: 'e1', petId: 'p1' }));
    await phone.sync();
    world.server.setHead(uid, null);
    pulled = 0;
    for (let run = 0; run < 3; run++) await phone.sync();
    expect(pulled).toBe(2);
    expect(checkpointOf(phone).epoch).toBe(world.server.snapshot().heads.get(uid)?.epoch);
  });

  it('D3.9 without a head is read on where an interruption has left it', async () => {
    const { world, phone } = await worldWithPets(5);
    world.server.setHead(uid, null);
    const sync = () => {
      const wrapRemote = failingAfter('pull', 2);
      return world.device({ store: phone.store, pullPageSize: 2, wrapRemote }).sync();
    };
    expect(await sync()).toMatchObject({ problem: 'unavailable' });
    expect(await sync()).toMatchObject({ problem: null, pushed: 0 });
    expect(phone.store.documents('pets').map(({ pending }) => pending)).toEqual([0, 0, 0, 0, 0]);
    expect(world.server.snapshot().heads.get(uid)).toMatchObject({ head: 5 });
  });

  it('D3.9 with a head below its documents is repaired the same way', async () => {
    const { world, phone, tablet } = await restoredWorld();
    world.server.setHead(uid, { head: 0, epoch: 'half restored' });
    await expectHealed(world, [phone, tablet]);
    expect(world.server.snapshot().heads.get(uid)?.epoch).not.toBe('half restored');
  });

  it('D3.9 without a head does not believe a number whose history nobody knows', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    phone.store.put({ ...newPet('p1'), pending: 0, seq: 7 });
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 1 });
    expect(find(phone, 'pets', 'p1')).toMatchObject({ pending: 0, seq: 1 });
  });

  it('D3.10 can be interrupted at any commit of the unbasing, and after it', async () => {
    let interrupted = 0;
    for (let isDone = false; !isDone; interrupted += 1) {
      const { world, phone, tablet } = await restoredWorld();
      world.server.setHead(uid, { head: 2, epoch: 'restored' });
      let left = interrupted;
      const dying = world.device({
        wrapStore: () => ({
          ...phone.store,
          commit: (writes) => {
            left -= 1;
            return left < 0 ? Promise.reject(new Error('died')) : phone.store.commit(writes);
          },
        }),
      });
      const { kind } = await dying.sync();
      isDone = left >= 0;
      expect(kind).toBe(isDone ? 'none' : 'defect');
      // The phone alone has what was lost, so it must not take it from the tablet.
      await expectHealed(world, [phone]);
      await expectHealed(world, [phone, tablet]);
    }
    // Pets, entries and the checkpoint at least.
    expect(interrupted).toBeGreaterThan(3);
  });

  it('D3.7 gets back everything from a device that has more than a page of it', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    phone.store.put(newPet('p0'));
    const ids = Array.from({ length: 450 }, (_, index) => `e${String(index).padStart(3, '0')}`);
    for (const id of ids) phone.store.put(newEntry({ id, petId: 'p0' }));
    await phone.sync();
    world.server.restore({ documents: new Map(), heads: new Map() });
    world.server.setHead(uid, { head: 0, epoch: 'restored' });
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 451 });
    expect(world.server.snapshot().documents.size).toBe(451);
  });

  it('D3.10 keeps parked documents parked, and read-only ones unpushed', async () => {
    const { world, phone } = await restoredWorld();
    const p0 = find(phone, 'pets', 'p0');
    phone.store.put({ ...p0, pending: 2, code: 'refused:x', base: { fields: {}, edits: {} } });
    phone.store.put({ ...newPet('newer'), pending: 0, seq: 3, code: 'newer-schema' });
    world.server.setHead(uid, { head: 2, epoch: 'restored' });
    await phone.sync();
    expect(find(phone, 'pets', 'p0')).toMatchObject({ pending: 2, code: 'refused:x', seq: 1 });
    expect(find(phone, 'pets', 'newer')).toMatchObject({ pending: 0, seq: null });
    expect(world.server.snapshot().documents.get('pets/newer')).toBeUndefined();
  });
});
