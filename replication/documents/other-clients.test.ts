import { describe, expect, it } from 'vitest';
import { withEdit, type LocalDocument } from '../../schemas/documents/document.ts';
import { checkpointId, type Checkpoint } from '../../schemas/local/local-record.ts';
import type { SyncedCollection } from '../../schemas/documents/sync-state.ts';
import { newEntry, newPet, onServer } from '../../tests/support/fixtures/sync-documents.ts';
import {
  createSyncWorld,
  find,
  uid,
  type SyncWorld,
  type TestDevice,
} from '../../tests/support/setups/sync-setup.ts';
import { RemoteError, type RemoteDocuments } from '../ports.ts';

function checkpointOf(device: TestDevice): Checkpoint {
  const record = device.store.records().get(checkpointId);
  if (record?.kind !== 'checkpoint') throw new Error('no checkpoint');
  return record;
}

function versionsOf(device: TestDevice): number {
  return [...device.store.records().values()].filter(({ kind }) => kind === 'conflict-version')
    .length;
}

async function worldWithPets(count: number): Promise<{ world: SyncWorld; phone: TestDevice }> {
  const world = createSyncWorld();
  const phone = world.device();
  for (let index = 0; index < count; index += 1) phone.store.put(newPet(`p${String(index)}`));
  await phone.sync();
  return { world, phone };
}

describe('documents of earlier and later clients', () => {
  function seed(world: SyncWorld, document: LocalDocument): void {
    world.server.put({ ...onServer(document, 0), edits: {}, updatedAtMs: null });
  }

  it('D9.1 are given a seq by the first device that syncs', async () => {
    const world = createSyncWorld();
    seed(world, newPet('old'));
    seed(world, newEntry({ id: 'old-entry', petId: 'old' }));
    const phone = world.device();
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 2 });
    expect(find(phone, 'entries', 'old-entry')).toMatchObject({ pending: 0, seq: 2 });
    expect(world.server.snapshot().documents.get('pets/old')).toMatchObject({ seq: 1 });
    const tablet = world.device();
    expect(await tablet.sync()).toMatchObject({ pushed: 0 });
    expect(find(tablet, 'entries', 'old-entry')).toMatchObject({ pending: 0, seq: 2 });
  });

  it('D9.1 are merged and sent in the same run if they change while they are sent', async () => {
    const world = createSyncWorld();
    seed(world, newPet('old'));
    let isFirst = true;
    const phone = world.device({
      wrapRemote: (remote) => ({
        ...remote,
        transact: (...args) => {
          if (isFirst) seed(world, newPet('old', { name: 'Rex', breed: 'Vizsla' }));
          isFirst = false;
          return remote.transact(...args);
        },
      }),
    });
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 1 });
    const fields = { name: 'Rex', breed: 'Vizsla' };
    expect(find(phone, 'pets', 'old')).toMatchObject({ pending: 0, seq: 1, fields });
  });

  it('D9.1 do not move again and again while the server takes nothing', async () => {
    const world = createSyncWorld();
    seed(world, newPet('old'));
    world.server.refuse(() => 'invalid-argument');
    const phone = world.device();
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 0, parked: 1 });
    const parked = find(phone, 'pets', 'old');
    expect(await phone.sync()).toMatchObject({ problem: null, parked: 0 });
    expect(find(phone, 'pets', 'old')).toEqual(parked);
  });

  /** Documents of a later client, with seqs, beside those of an earlier one. */
  function mixedWorld(): SyncWorld {
    const world = createSyncWorld();
    world.server.put(onServer(newPet('p1'), 1));
    seed(world, newPet('p2'));
    for (const id of ['e1', 'e2', 'e3', 'e4']) seed(world, newEntry({ id, petId: 'p1' }));
    world.server.put(onServer(newEntry({ id: 'e5', petId: 'p2' }), 2));
    world.server.setHead(uid, { head: 2, epoch: 'epoch' });
    return world;
  }

  /** Fails once, at the first call that the test picks, and records the other reads. */
  function failingOnce(isDoomed: (collection: SyncedCollection, call: number) => boolean) {
    const read: string[] = [];
    let calls = 0;
    let hasFailed = false;
    const wrapRemote = (remote: RemoteDocuments): RemoteDocuments => ({
      ...remote,
      scan: async (collection, ...page) => {
        calls += 1;
        if (!hasFailed && isDoomed(collection, calls)) {
          hasFailed = true;
          throw new RemoteError('transient', 'timeout');
        }
        const found = await remote.scan(collection, ...page);
        read.push(...found.map(({ id }) => id));
        return found;
      },
      pull: async (...page) => {
        const found = await remote.pull(...page);
        read.push(...found.map(({ id }) => id));
        return found;
      },
    });
    return { wrapRemote, read };
  }

  it('D9.1 are adopted in both collections when the first run is cut off between them', async () => {
    const world = mixedWorld();
    const { wrapRemote } = failingOnce((collection) => collection === 'entries');
    const phone = world.device({ wrapRemote });
    expect(await phone.sync()).toMatchObject({ problem: 'timeout' });
    expect(phone.store.documents('pets')).toHaveLength(2);
    expect(checkpointOf(phone).seq).toEqual({ pets: 2, entries: 0 });
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 5 });
    expect(phone.store.documents('entries')).toHaveLength(5);
    expect(phone.store.documents('entries').every(({ pending }) => pending === 0)).toBe(true);
  });

  it('D9.1 are read once, also when the run is cut off between two pages', async () => {
    const world = mixedWorld();
    const { wrapRemote, read } = failingOnce(
      (collection, call) => collection === 'entries' && call === 4,
    );
    const phone = world.device({ wrapRemote, pullPageSize: 2 });
    expect(await phone.sync()).toMatchObject({ problem: 'timeout' });
    expect(phone.store.documents('entries')).toHaveLength(2);
    expect(checkpointOf(phone).scan).toMatchObject({ collection: 'entries', head: 2 });
    const ofFirstRun = [...read];
    read.length = 0;
    // Committed behind the page that the phone has stored.
    world.server.put(onServer(newEntry({ id: 'e0', petId: 'p1' }), 3));
    world.server.setHead(uid, { head: 3, epoch: 'epoch' });
    expect(await phone.sync()).toMatchObject({ problem: null });
    expect(phone.store.documents('entries')).toHaveLength(6);
    expect(checkpointOf(phone)).not.toHaveProperty('scan');
    expect(ofFirstRun).toEqual(['p1', 'p2', 'e1', 'e2']);
    expect(read.slice(0, 4)).toEqual(['e3', 'e4', 'e5', 'e0']);
  });

  it('D9.1 do not make another device read anything twice, while one of them stays as it is', async () => {
    const world = mixedWorld();
    seed(world, newEntry({ id: 'orphan', petId: 'nowhere' }));
    await world.device().sync();
    const { wrapRemote, read } = failingOnce(() => false);
    const tablet = world.device({ wrapRemote, pullPageSize: 2 });
    expect(await tablet.sync()).toMatchObject({ problem: null, pushed: 0 });
    expect(tablet.store.documents('entries')).toHaveLength(5);
    expect(read.toSorted()).toEqual(['e1', 'e2', 'e3', 'e4', 'e5', 'orphan', 'p1', 'p2']);
    read.length = 0;
    await tablet.sync();
    expect(read).toEqual([]);
  });

  it('D9.1 are looked for anew in another history, wherever the scan of the last one was', async () => {
    const world = mixedWorld();
    const { wrapRemote } = failingOnce(
      (collection, call) => collection === 'entries' && call === 4,
    );
    const phone = world.device({ wrapRemote, pullPageSize: 2 });
    await phone.sync();
    world.server.put(onServer(newPet('p2'), 2));
    seed(world, newEntry({ id: 'e0', petId: 'p1' }));
    world.server.setHead(uid, { head: 2, epoch: 'restored' });
    expect(await phone.sync()).toMatchObject({ problem: null });
    expect(phone.store.documents('entries')).toHaveLength(6);
  });

  it('D9.2 are left alone where their pet is gone', async () => {
    const world = createSyncWorld();
    seed(world, newEntry({ id: 'orphan', petId: 'nowhere' }));
    const phone = world.device();
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 0, parked: 0 });
    expect(phone.store.documents('entries')).toEqual([]);
  });

  it('D9.4 park an edit that was made before they came, and nothing else', async () => {
    const { world, phone } = await worldWithPets(2);
    phone.store.put(withEdit(find(phone, 'pets', 'p0'), { name: 'Mine' }, 2_000));
    const p0 = world.server.snapshot().documents.get('pets/p0');
    if (!p0) throw new Error('no p0');
    world.server.put({ ...p0, seq: 3, newerSchema: true });
    world.server.setHead(uid, { head: 3, epoch: checkpointOf(phone).epoch ?? '' });
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 0 });
    expect(find(phone, 'pets', 'p0')).toMatchObject({ pending: 2, code: 'newer-schema', seq: 1 });
    expect(versionsOf(phone)).toBe(0);
  });
});
