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

it('a sign-in that cannot be remembered closes what it has opened', async () => {
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
  const { setItem: store } = Object.getOwnPropertyDescriptors(Storage.prototype);
  setItem().mockImplementation(function setUnlessFull(this: Storage, key, value) {
    if (readDrafts('robin').length > 0) refuse();
    Reflect.apply(store.value ?? refuse, this, [key, value]);
  });
  await session.signOut();
  expect(shown()).toEqual({ user: null, data: null });
  expect(readDrafts('robin')).toEqual([]);
  expect(erasing()).toEqual([]);
});

it('a sign-out that finds no room at all keeps the drafts', async () => {
  writeAccountPointer(robin, true);
  writeDraft({ owner: 'robin', name: 'note' }, 'typed');
  const { controller, session, shown } = setUp();
  await controller.start();
  setItem().mockImplementation(refuse);
  await expect(session.signOut()).rejects.toThrow('full');
  expect(shown()).toEqual({ user: 'robin', data: 'robin' });
  expect(readDrafts('robin')).toEqual(['typed']);
});
