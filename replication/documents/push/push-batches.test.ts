import { expect, it } from 'vitest';
import { newEntry, newPet } from '../../../tests/support/fixtures/sync-documents.ts';
import { createSyncWorld } from '../../../tests/support/setups/sync-setup.ts';
import { runDeletePetJob } from './delete-pet-job.ts';

it('D2.17 a dog that is deleted during a long push reaches no device before the deletion of its entries', async () => {
  const world = createSyncWorld();
  let onCommit: (() => Promise<void>) | null = null;
  const phone = world.device({
    wrapRemote: (remote) => ({
      ...remote,
      transact: async (refs, decide) => {
        const result = await remote.transact(refs, decide);
        const run = onCommit;
        onCommit = null;
        await run?.();
        return result;
      },
    }),
  });
  const tablet = world.device();
  for (const id of ['p1', 'p2']) phone.store.put(newPet(id));
  phone.store.put(newEntry({ id: 'a1', petId: 'p1' }));
  await phone.sync();
  await tablet.sync();

  for (let i = 0; i < 150; i++) phone.store.put(newEntry({ id: `b${i}`, petId: 'p2' }));
  onCommit = async () => {
    await runDeletePetJob(phone.store, 'p1');
    expect(phone.store.documents('pets')).toContainEqual(
      expect.objectContaining({ id: 'p1', deleted: true }),
    );
  };
  for (let i = 0; i < 2; i++) {
    await phone.sync();
    await tablet.sync();
  }
  const versions = [...tablet.store.records().values()].filter(
    ({ kind }) => kind === 'conflict-version',
  );
  expect(versions).toEqual([]);
  expect(world.server.snapshot().documents.get('pets/p1')).toMatchObject({ deleted: true });
});
