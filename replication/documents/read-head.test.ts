import { expect, it } from 'vitest';
import { RemoteError } from '../ports.ts';
import { createMemoryServer } from '../../tests/support/fakes/memory-remote.ts';
import { uid } from '../../tests/support/setups/sync-setup.ts';
import { readHead } from './read-head.ts';

const remote = createMemoryServer({ now: () => 1 }).connect(uid);
const failing = (error: Error) => ({
  ...remote,
  readHead: async () => {
    throw error;
  },
});

it('the head is null before the first commit', async () => {
  expect(await readHead(remote)).toBeNull();
});

it('the head is the one that the server has', async () => {
  const head = { head: 7, epoch: 'e' };
  expect(await readHead({ ...remote, readHead: async () => head })).toEqual(head);
});

it('a refusal of the head is a refusal of the account, caused by it', async () => {
  const refused = readHead(failing(new RemoteError('permanent', 'permission-denied')));
  await expect(refused).rejects.toBeInstanceOf(RemoteError);
  await expect(refused).rejects.toMatchObject({
    kind: 'permanent',
    code: 'account-refused',
    cause: { code: 'permission-denied' },
  });
});

it('any other failure stays as it is', async () => {
  for (const error of [new RemoteError('transient', 'unavailable'), new Error('no')])
    await expect(readHead(failing(error))).rejects.toBe(error);
});
