import { expect, it } from 'vitest';
import { withEdit, type LocalDocument } from '../../../schemas/documents/document.ts';
import { newPet } from '../../../tests/support/fixtures/sync-documents.ts';
import { change, nowMs, setUpData } from '../../../tests/support/setups/data-setup.ts';
import { createSyncWorld, uid, type TestDevice } from '../../../tests/support/setups/sync-setup.ts';
import { createDocuments } from './documents.ts';
import { createRepairs } from './rx-repairs.ts';

async function petOf({ store }: TestDevice): Promise<LocalDocument> {
  const pet = (await store.get('pets', ['p0'])).get('p0')?.document;
  if (pet === undefined) throw new Error('no p0');
  return pet;
}

it('D8.8 a document of a newer schema is pulled again, also if its edit is discarded during a pull', async () => {
  const world = createSyncWorld();
  const phone = world.device();
  phone.store.put(newPet('p0', { name: 'Old' }));
  await phone.sync();
  phone.store.put(withEdit(await petOf(phone), { name: 'Mine' }, 2_000));
  const onServer = world.server.snapshot().documents.get('pets/p0');
  if (onServer === undefined) throw new Error('no p0');
  const fields = { ...onServer.fields, name: 'Newer' };
  world.server.put({ ...onServer, seq: 2, newerSchema: true, fields });
  const epoch = world.server.snapshot().heads.get(uid)?.epoch ?? '';
  world.server.setHead(uid, { head: 2, epoch });
  await phone.sync();
  expect(await petOf(phone)).toMatchObject({ pending: 2, code: 'newer-schema' });

  const { store } = phone;
  const documents = createDocuments({ uid, store, correctedNow: () => nowMs });
  const repairs = createRepairs({ documents, store, correctedNow: () => nowMs });
  const discarding = world.device({
    store,
    wrapRemote: (remote) => ({
      ...remote,
      readHead: async () => {
        await repairs.discard('pets', 'p0');
        return remote.readHead();
      },
    }),
  });
  expect(await discarding.sync()).toMatchObject({ problem: null });
  expect(await petOf(phone)).toMatchObject({ pending: 0, fields: { name: 'Old' } });
  await phone.sync();
  expect(await petOf(phone)).toMatchObject({ pending: 0, fields: { name: 'Newer' } });
});

it('D8.8 a document stays if another tab has edited it before it is discarded', async () => {
  const { commands, store } = await setUpData();
  const id = await commands.createPet({ name: 'Bramble' });
  const base = { fields: { name: 'Bram' }, edits: {} };
  const park = (pet: LocalDocument): LocalDocument => ({ ...pet, seq: 3, base, pending: 2 });
  await change(store, { collection: 'pets', id }, park);
  await commands.updatePet(id, { name: 'Bramble of the hill' });
  await commands.discard('pets', id);
  const pet = (await store.get('pets', [id])).get(id)?.document;
  expect(pet).toMatchObject({ pending: 1, base, fields: { name: 'Bramble of the hill' } });
});
