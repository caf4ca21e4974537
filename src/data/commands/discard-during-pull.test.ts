import { expect, it } from 'vitest';
import { withEdit, type LocalDocument } from '../../../schemas/documents/document.ts';
import { newPet } from '../../../tests/support/fixtures/sync-documents.ts';
import { nowMs } from '../../../tests/support/setups/data-setup.ts';
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
