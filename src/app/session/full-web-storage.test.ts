import { beforeEach, expect, it, vi } from 'vitest';
import {
  credentialsOf,
  device,
  erasing,
  resetDevice,
  robin,
  setUp,
} from '../../../tests/support/setups/session-setup.ts';
import { readDrafts, writeDraft } from '../../lib/draft.ts';
import { readAccountPointer, writeAccountPointer } from '../../platform/auth/account-pointer.ts';

beforeEach(resetDevice);

/** Web storage refuses what is new. */
const setItem = () => vi.spyOn(Storage.prototype, 'setItem');
const refuse = (): never => {
  throw new DOMException('full', 'QuotaExceededError');
};

it('a sign-in that cannot be remembered opens nothing that stays behind', async () => {
  const { controller, session, shown, steps } = setUp();
  await controller.start();
  setItem().mockImplementation(refuse);
  const signingIn = session.auth.signIn(credentialsOf(robin));
  await expect(signingIn).rejects.toMatchObject({ code: 'pawpals/not-stored' });
  expect(shown()).toEqual({ user: null, data: null });
  expect(readAccountPointer()).toBeNull();
  expect(device.provider).toBeNull();
  expect(steps).toContain('closed robin');
});

it('a sign-out takes the room of the drafts, which it erases anyway', async () => {
  writeAccountPointer(robin, true);
  writeDraft({ owner: 'robin', name: 'note' }, 'typed');
  const { controller, session, shown } = setUp();
  await controller.start();
  setItem().mockImplementationOnce(refuse);
  await session.signOut();
  expect(shown()).toEqual({ user: null, data: null });
  expect(readDrafts('robin')).toEqual([]);
  expect(erasing()).toEqual([]);
});
