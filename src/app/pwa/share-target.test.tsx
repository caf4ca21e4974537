import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { fakeData } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { dataAtom } from '../session/session-controller.ts';
import { remindOfSharedItems } from './share-target.ts';

const reminder = /Something you shared is still waiting/;

beforeEach(() => sessionStorage.clear());

async function start(path: string, ids: readonly string[]) {
  const data = fakeData();
  const app = openApp({ path, data });
  app.store.set(dataAtom, data);
  await screen.findByRole('heading', { level: 1 });
  await act(() => remindOfSharedItems({ ...app, shares: { removeOld: async () => ids } }));
  return app;
}

it('reminds of unused shared items at the next start', async () => {
  const { user, path } = await start('/pets', ['old', 'new']);
  await screen.findByText(reminder);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await waitFor(() => expect(path()).toBe('/quick/share?share=old'));
});

it.each([
  ['/pets', []],
  ['/quick/share?share=old', ['old']],
])('nothing is said on %s of %j', async (path, ids) => {
  await start(path, ids);
  expect(screen.queryByText(reminder)).toBeNull();
});

it('a reload does not remind of the same item again, but of another one', async () => {
  await start('/pets', ['old']);
  await screen.findByText(reminder);
  cleanup();
  await start('/pets', ['old']);
  expect(screen.queryByText(reminder)).toBeNull();
  cleanup();
  await start('/pets', ['new']);
  await screen.findByText(reminder);
});
