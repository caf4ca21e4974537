import { describe, expect, it } from 'vitest';
import { asDeleted, withEdit } from '../../schemas/documents/document.ts';
import { newEntry, newPet } from '../../tests/support/fixtures/sync-documents.ts';
import { createSyncWorld, find, uid } from '../../tests/support/setups/sync-setup.ts';
import { RemoteError } from '../ports.ts';

/** A device, and the number of its requests for the sum of the seqs. */
function countingWorld() {
  const world = createSyncWorld();
  let sums = 0;
  const phone = world.device({
    wrapRemote: (remote) => ({
      ...remote,
      sumOfSeqs: (collection) => {
        sums += 1;
        return remote.sumOfSeqs(collection);
      },
    }),
  });
  return { world, phone, sums: () => sums };
}

describe('a restored server whose head was not restored', () => {
  /** The server has lost one dog, and has older states of another and of an entry. */
  async function partlyRestored() {
    const world = createSyncWorld();
    const phone = world.device();
    for (const id of ['p0', 'p1']) phone.store.put(newPet(id));
    phone.store.put(newEntry({ id: 'e0', petId: 'p0' }));
    await phone.sync();
    const backup = world.server.snapshot();
    const later = { name: 'Later p1' };
    phone.store.put(withEdit(find(phone, 'pets', 'p1'), later, 2_000));
    phone.store.put(withEdit(find(phone, 'entries', 'e0'), { text: 'Later e0' }, 2_000));
    await phone.sync();
    const tablet = world.device();
    await tablet.sync();
    const documents = new Map(backup.documents);
    documents.delete('pets/p0');
    world.server.restore({ documents, heads: world.server.snapshot().heads });
    const expectWhole = () => {
      const healed = world.server.snapshot().documents;
      expect(healed.get('pets/p0')?.fields).toEqual({ name: 'Rex' });
      expect(healed.get('pets/p1')?.fields).toEqual(later);
      expect(healed.get('entries/e0')?.fields['text']).toBe('Later e0');
      for (const device of [phone, tablet]) {
        const copies = [...device.store.documents('pets'), ...device.store.documents('entries')];
        expect(copies.map(({ pending }) => pending)).toEqual([0, 0, 0]);
        expect(find(device, 'pets', 'p1').fields).toEqual(later);
      }
    };
    return { world, phone, tablet, expectWhole };
  }

  it('D3.12 is noticed within a day, and healed by every device', async () => {
    const { world, phone, tablet, expectWhole } = await partlyRestored();
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 0 });
    world.time.nowMs += 86_400_000;
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 3 });
    expect(await tablet.sync()).toMatchObject({ kind: 'none', problem: null });
    expectWhole();
  });

  it('D3.12 is noticed at once when something is refused for it', async () => {
    const { phone, tablet, expectWhole } = await partlyRestored();
    const before = find(phone, 'entries', 'e0');
    phone.store.put(newEntry({ id: 'e1', petId: 'p0' }));
    expect(await phone.sync()).toMatchObject({ problem: null, parked: 0 });
    expect(find(phone, 'entries', 'e1').pending).toBe(0);
    expect(find(phone, 'entries', 'e0').fields).toEqual(before.fields);
    phone.store.put(asDeleted(find(phone, 'entries', 'e1')));
    await phone.sync();
    phone.store.forget('entries', 'e1');
    await tablet.sync();
    tablet.store.forget('entries', 'e1');
    expectWhole();
  });

  it('D3.12 is looked for once a day, and seen by nobody while nothing is lost', async () => {
    const { world, phone, sums } = countingWorld();
    phone.store.put(newPet('p0'));
    await phone.sync();
    const epoch = world.server.snapshot().heads.get(uid)?.epoch;
    const counts: number[] = [];
    for (const hours of [0, 12, 11, 1, 0, -2]) {
      world.time.nowMs += hours * 3_600_000;
      await phone.sync();
      counts.push(sums());
    }
    expect(counts).toEqual([2, 2, 2, 4, 4, 6]);
    expect(world.server.snapshot().heads.get(uid)?.epoch).toBe(epoch);
  });

  it('D3.12 is looked for after a pull without a head, which may have begun before another restore', async () => {
    const { world, phone } = countingWorld();
    for (const id of ['p0', 'p1', 'p2']) phone.store.put(newPet(id));
    for (let run = 0; run < 2; run += 1) await phone.sync();
    world.server.setHead(uid, null);
    const interrupted = world.device({
      store: phone.store,
      pullPageSize: 2,
      wrapRemote: (remote) => ({
        ...remote,
        pull: (...page) =>
          page[1] === 0
            ? remote.pull(...page)
            : Promise.reject(new RemoteError('transient', 'unavailable')),
      }),
    });
    expect(await interrupted.sync()).toMatchObject({ problem: 'unavailable' });
    world.server.restore({ documents: new Map(), heads: new Map() });
    for (let run = 0; run < 2; run += 1) await phone.sync();
    expect(world.server.snapshot().documents.size).toBe(3);
    expect(phone.store.documents('pets').map(({ pending }) => pending)).toEqual([0, 0, 0]);
  });

  it('D3.12 is looked for once in a push, however much of it is refused', async () => {
    const { world, phone, sums } = countingWorld();
    world.server.refuse(() => 'invalid-argument');
    for (const id of ['p0', 'p1', 'p2']) phone.store.put(newPet(id));
    expect(await phone.sync()).toMatchObject({ parked: 3 });
    expect(sums()).toBe(2);
  });

  it('D3.12 does not judge a server that others write to meanwhile', async () => {
    const { world, phone } = await partlyRestored();
    const epoch = world.server.snapshot().heads.get(uid)?.epoch ?? '';
    world.time.nowMs += 86_400_000;
    const busy = world.device({
      wrapStore: () => phone.store,
      wrapRemote: (remote) => ({
        ...remote,
        sumOfSeqs: async (collection) => {
          const sum = await remote.sumOfSeqs(collection);
          world.server.setHead(uid, { head: 99, epoch });
          return sum;
        },
      }),
    });
    await busy.sync();
    expect(world.server.snapshot().heads.get(uid)?.epoch).toBe(epoch);
  });

  it.each([
    ['something is refused', 0, [newEntry({ id: 'e1', petId: 'p0' })]],
    ['it is looked for', 86_400_000, []],
  ])('D3.12 is noticed later if others write while %s', async (_, waitMs, notes) => {
    const { world, phone, tablet, expectWhole } = await partlyRestored();
    const newcomer = world.device();
    await newcomer.sync();
    let isBusy = true;
    const busy = world.device({
      store: phone.store,
      wrapRemote: (remote) => ({
        ...remote,
        sumOfSeqs: async (collection) => {
          const sum = await remote.sumOfSeqs(collection);
          if (isBusy) {
            isBusy = false;
            newcomer.store.put(withEdit(find(newcomer, 'pets', 'p1'), { name: 'Later p1' }, 3_000));
            await newcomer.sync();
          }
          return sum;
        },
      }),
    });
    world.time.nowMs += waitMs;
    for (const note of notes) phone.store.put(note);
    for (let run = 0; run < 3; run += 1) await busy.sync();
    expect(isBusy).toBe(false);
    expect([...world.server.snapshot().documents.keys()]).toContain('pets/p0');
    await tablet.sync();
    for (const { id } of notes) {
      expect(find(phone, 'entries', id).pending).toBe(0);
      for (const device of [phone, tablet]) device.store.forget('entries', id);
    }
    expectWhole();
  });
});
