import { expect, it } from 'vitest';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import { newAccount } from './account.ts';
import { createAccountStore } from './account-store.ts';

const accountOf = (email: string) =>
  newAccount({ email, displayName: '', password: null, google: null }, 0);

it('an account with many changes delays those of others by one', async () => {
  const store = createMemoryStore();
  const accounts = createAccountStore(store);
  const [busy, other] = [accountOf('busy@pawpals.example'), accountOf('other@pawpals.example')];
  for (const each of [busy, other]) await accounts.add(each);
  const before = store.writes.length;
  const changes = Array.from({ length: 50 }, (_, at) =>
    accounts.change(busy.uid, (now) => ({ ...now, displayName: `${at}` })),
  );
  await accounts.change(other.uid, (now) => ({ ...now, displayName: 'Other' }));
  expect(store.writes.length - before).toBeLessThanOrEqual(3);
  await Promise.all(changes);
  expect(accounts.byUid(busy.uid)?.displayName).toBe('49');
});

it('an account and the event of its deletion are one write', async () => {
  const store = createMemoryStore();
  const accounts = createAccountStore(store);
  const account = accountOf('robin@pawpals.example');
  await accounts.add(account);
  const before = store.writes.length;
  const event = { type: 'put', key: 'event', value: account.uid } as const;
  expect(await accounts.remove(account.uid, [event])).toBe(true);
  expect(store.writes.length - before).toBe(1);
  expect([...store.content]).toEqual([['event', account.uid]]);
});
