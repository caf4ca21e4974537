import { describe, expect, it } from 'vitest';
import { asDeleted, withEdit, type LocalDocument } from '../../schemas/document.ts';
import { newEntry, newPet } from '../../tests/support/sync-documents.ts';
import { createSyncWorld, type TestDevice } from '../../tests/support/sync-harness.ts';

function only(device: TestDevice, collection: 'pets' | 'entries'): LocalDocument {
  const [document] = device.store.documents(collection);
  if (!document) throw new Error('nothing there');
  return document;
}

describe('a run', () => {
  it('D2.1 brings a new pet and its entry to another device', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    const tablet = world.device();
    phone.store.put(newPet('p1'));
    phone.store.put(newEntry({ id: 'e1', petId: 'p1' }));
    expect(await phone.sync()).toMatchObject({ problem: null, pushed: 2 });
    expect(await tablet.sync()).toMatchObject({ problem: null, pulled: 2 });
    expect(only(tablet, 'entries')).toMatchObject({ pending: 0, seq: 2, base: null });
    expect(only(phone, 'entries')).toMatchObject({ pending: 0, seq: 2, base: null });
  });

  it('D5.1 merges edits of different fields', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    const tablet = world.device();
    phone.store.put(newPet('p1'));
    await phone.sync();
    await tablet.sync();
    phone.store.put(withEdit(only(phone, 'pets'), { breed: 'Vizsla' }, 2_000));
    tablet.store.put(withEdit(only(tablet, 'pets'), { description: 'shy' }, 3_000));
    await phone.sync();
    await tablet.sync();
    await phone.sync();
    const fields = { name: 'Rex', breed: 'Vizsla', description: 'shy' };
    expect(only(phone, 'pets').fields).toEqual(fields);
    expect(only(tablet, 'pets').fields).toEqual(fields);
  });

  it('D6.1 a deletion wins over an edit, which is kept', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    const tablet = world.device();
    phone.store.put(newPet('p1'));
    await phone.sync();
    await tablet.sync();
    phone.store.put(asDeleted(only(phone, 'pets')));
    tablet.store.put(withEdit(only(tablet, 'pets'), { name: 'Max' }, 3_000));
    await phone.sync();
    await tablet.sync();
    expect(only(tablet, 'pets')).toMatchObject({ deleted: true, pending: 0, fields: {} });
    const losers = [...tablet.store.records().values()].filter(({ kind }) => kind === 'loser');
    expect(losers).toMatchObject([{ fields: { name: 'Max' }, reason: 'deleted', side: 'local' }]);
  });
});
