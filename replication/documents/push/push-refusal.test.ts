import { describe, expect, it } from 'vitest';
import { asDeleted, withEdit } from '../../../schemas/documents/document.ts';
import { newEntry, newPet } from '../../../tests/support/fixtures/sync-documents.ts';
import {
  createSyncWorld,
  find,
  type TestDevice,
} from '../../../tests/support/setups/sync-setup.ts';
import { RemoteError, type RemoteWrite } from '../../ports.ts';

function bad({ fields }: RemoteWrite): string | null {
  return String(fields['name'] ?? fields['text']).includes('bad') ? 'invalid-argument' : null;
}

describe('a refusal', () => {
  it('D8.1 parks the one document that is refused, and writes the others', async () => {
    const world = createSyncWorld();
    world.server.refuse(bad);
    const phone = world.device();
    phone.store.put(newPet('p1'));
    for (const id of ['a', 'b', 'c', 'd', 'e']) phone.store.put(newEntry({ id, petId: 'p1' }));
    phone.store.put(newEntry({ id: 'cc', petId: 'p1', fields: { text: 'bad' } }));
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 6, parked: 1 });
    expect(find(phone, 'entries', 'cc')).toMatchObject({
      pending: 2,
      code: 'refused:invalid-argument',
      fields: { text: 'bad' },
    });
  });

  it('D8.2 of the account parks nothing and ends the run', async () => {
    const world = createSyncWorld();
    const phone = world.device({
      wrapRemote: (remote) => {
        let reads = 0;
        return {
          ...remote,
          readHead: () => {
            reads += 1;
            if (reads === 1) return remote.readHead();
            return Promise.reject(new RemoteError('permanent', 'permission-denied'));
          },
          transact: () => Promise.reject(new RemoteError('permanent', 'permission-denied')),
        };
      },
    });
    phone.store.put(newPet('p1'));
    expect(await phone.sync()).toMatchObject({ kind: 'permanent', problem: 'account-refused' });
    expect(find(phone, 'pets', 'p1').pending).toBe(1);
  });

  it('D8.2 of the account is noticed by the first read as well', async () => {
    const world = createSyncWorld();
    const phone = world.device({
      wrapRemote: (remote) => ({
        ...remote,
        readHead: () => Promise.reject(new RemoteError('permanent', 'permission-denied')),
      }),
    });
    expect(await phone.sync()).toMatchObject({ kind: 'permanent', problem: 'account-refused' });
  });

  it('D8.3 is distinguished from a transient failure, after which everything stays pending', async () => {
    const world = createSyncWorld();
    const phone = world.device({
      wrapRemote: (remote) => ({
        ...remote,
        transact: () => Promise.reject(new RemoteError('transient', 'unauthenticated')),
      }),
    });
    phone.store.put(newPet('p1'));
    expect(await phone.sync()).toMatchObject({ kind: 'transient', problem: 'unauthenticated' });
    expect(find(phone, 'pets', 'p1')).toMatchObject({ pending: 1, code: null });
  });

  it('D8.9 of a full server keeps nothing back by which the owner makes room', async () => {
    const world = createSyncWorld();
    let isFull = false;
    const phone = world.device({
      wrapRemote: (remote) => ({
        ...remote,
        transact: (refs, decide) =>
          remote.transact(refs, (view) => {
            const plan = decide(view);
            const isLarger = plan.writes.some(({ deleted, id }) => !deleted || id === 'e0');
            if (isFull && isLarger) throw new RemoteError('transient', 'resource-exhausted');
            return plan;
          }),
      }),
    });
    for (const id of ['p1', 'p2']) phone.store.put(newPet(id));
    for (const id of ['e1', 'e2']) phone.store.put(newEntry({ id, petId: 'p1' }));
    await phone.sync();
    isFull = true;
    phone.store.put(newEntry({ id: 'e3', petId: 'p1' }));
    // A tombstone of what the server never had is another document there.
    phone.store.put(asDeleted(newEntry({ id: 'e0', petId: 'p1' })));
    phone.store.put(asDeleted(find(phone, 'entries', 'e1')));
    phone.store.put(asDeleted(find(phone, 'pets', 'p2')));
    expect(await phone.sync()).toMatchObject({ kind: 'transient', problem: 'resource-exhausted' });
    const { documents } = world.server.snapshot();
    const deleted = [...documents].filter(([, document]) => document.deleted).map(([key]) => key);
    expect(deleted).toEqual(['pets/p2', 'entries/e1']);
    expect(find(phone, 'entries', 'e3')).toMatchObject({ pending: 1, code: null });
  });

  it('D8.3 parks nothing if the check of the account gets no answer', async () => {
    const world = createSyncWorld();
    world.server.refuse(bad);
    let reads = 0;
    const phone = world.device({
      wrapRemote: (remote) => ({
        ...remote,
        readHead: () => {
          reads += 1;
          if (reads === 1) return remote.readHead();
          return Promise.reject(new RemoteError('transient', 'unavailable'));
        },
      }),
    });
    phone.store.put(newPet('p1', { name: 'bad' }));
    expect(await phone.sync()).toMatchObject({ kind: 'transient', problem: 'unavailable' });
    expect(find(phone, 'pets', 'p1').pending).toBe(1);
  });

  it('D8.4 keeps content and ancestor, and is tried again with both', async () => {
    const world = createSyncWorld();
    world.server.refuse(bad);
    const phone = world.device();
    phone.store.put(newPet('p1'));
    await phone.sync();
    const origin = find(phone, 'pets', 'p1');
    phone.store.put(withEdit(origin, { name: 'bad' }, 2_000));
    await phone.sync();
    const parked = find(phone, 'pets', 'p1');
    expect(parked).toMatchObject({ pending: 2, seq: 1, fields: { name: 'bad' } });
    expect(parked.base).toEqual({ fields: origin.fields, edits: origin.edits });
    world.server.refuse(() => null);
    phone.store.put({ ...parked, pending: 1, code: null });
    expect(await phone.sync()).toMatchObject({ pushed: 1 });
    expect(find(phone, 'pets', 'p1').pending).toBe(0);
  });

  it('D8.4 does not park an edit that was made meanwhile', async () => {
    const world = createSyncWorld();
    world.server.refuse(bad);
    let reads = 0;
    const phone: TestDevice = world.device({
      wrapRemote: (remote) => ({
        ...remote,
        readHead: () => {
          reads += 1;
          if (reads === 2) {
            phone.store.put(withEdit(find(phone, 'pets', 'p1'), { name: 'good' }, 2_000));
          }
          return remote.readHead();
        },
      }),
    });
    phone.store.put(newPet('p1', { name: 'bad' }));
    await phone.sync();
    expect(find(phone, 'pets', 'p1')).toMatchObject({ pending: 1, code: null });
    expect(await phone.sync()).toMatchObject({ pushed: 1 });
  });

  it('D8.5 lets the entries of a parked pet wait, and go when it does', async () => {
    const world = createSyncWorld();
    world.server.refuse(bad);
    const phone = world.device();
    phone.store.put(newPet('p1', { name: 'bad' }));
    phone.store.put(newEntry({ id: 'e1', petId: 'p1' }));
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 0, parked: 1 });
    expect(find(phone, 'entries', 'e1')).toMatchObject({ pending: 1, code: null });
    phone.store.put(withEdit(find(phone, 'pets', 'p1'), { name: 'good' }, 2_000));
    expect(await phone.sync()).toMatchObject({ pushed: 2 });
    expect(find(phone, 'entries', 'e1').pending).toBe(0);
  });

  it('D2.11 of an entry that has lost its pet parks it with its content', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    const tablet = world.device();
    phone.store.put(newPet('p1'));
    await phone.sync();
    await tablet.sync();
    phone.store.put(asDeleted(find(phone, 'pets', 'p1')));
    await phone.sync();
    tablet.store.put(newEntry({ id: 'e1', petId: 'p1' }));
    expect(await tablet.sync()).toMatchObject({ problem: null, parked: 1 });
    expect(find(tablet, 'entries', 'e1')).toMatchObject({
      pending: 2,
      code: 'pet-deleted',
      fields: { text: 'text of e1' },
    });
  });

  it('D2.12 is not waited for by a tombstone of which nothing was ever there', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    phone.store.put(asDeleted(newEntry({ id: 'e1', petId: 'discarded' })));
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 0 });
    expect(find(phone, 'entries', 'e1')).toMatchObject({ pending: 0, seq: null });
  });
});
