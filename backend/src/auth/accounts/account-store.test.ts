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
