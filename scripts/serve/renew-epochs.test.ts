import { expect, it, onTestFinished } from 'vitest';
import { startTestBackend } from '../../tests/support/servers/backend-in-process.ts';
import { renewEpochs } from './renew-epochs.ts';

it('every owner gets another epoch under the same head, except those whose account was deleted', async () => {
  const backend = await startTestBackend();
  onTestFinished(() => backend.dispose());
  const { firestore } = backend.current();
  const before = Array.from({ length: 1_100 }, (_, head) => ({ head, epoch: 'old' }));
  await firestore.commit([
    ...before.map((data) => ({ set: `sync/owner-${String(data.head)}`, data })),
    { set: 'sync/owner-closed', data: { head: 7, epoch: 'old', closed: true } },
    { set: 'sync/owner-never', data: { closed: true } },
  ]);
  await renewEpochs(firestore);
  const after = await firestore.find({ collection: 'sync', limit: Infinity });
  const open = after.map(({ data }) => data).filter((data) => !('closed' in data));
  expect(open.map(({ head }) => Number(head)).toSorted((one, other) => one - other)).toEqual(
    before.map(({ head }) => head),
  );
  expect(open.filter(({ epoch }) => epoch === 'old' || epoch === '')).toEqual([]);
  expect(firestore.get('sync/owner-closed')).toEqual({ head: 7, epoch: 'old', closed: true });
  expect(firestore.get('sync/owner-never')).toEqual({ closed: true });
});
