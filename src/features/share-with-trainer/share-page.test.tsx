import { act, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { deferred, fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import type { Data } from '../../data/data-context.ts';
import { connection } from '../../platform/connection.ts';

function openShare(organizations: Data['organizations']) {
  const data = { ...fakeData(), organizations };
  data.pets.set([petRow('pet', 'Bramble')]);
  return openApp({ path: '/pets/pet/actions/share', data });
}

const clubs = [
  { id: 'b', tradingName: 'The Whistle Field', memberCount: 1 },
  { id: 'a', tradingName: '<i>Fenland</i>', memberCount: 42 },
];

it('lists organizations by name, with their members, and does no more yet', async () => {
  openShare(async () => clubs);
  const list = await screen.findByRole('list', { name: 'Organizations' });
  const texts = within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(texts).toEqual(['<i>Fenland</i>42 members', 'The Whistle Field1 member']);
  expect(screen.getByText('Coming soon')).toBeDefined();
  expect(screen.getByText('These organizations will be there.')).toBeDefined();
  expect(within(list).queryByRole('button')).toBeNull();
});

it('says that there are none', async () => {
  openShare(async () => []);
  expect(await screen.findByText('No organizations have joined yet.')).toBeDefined();
  expect(screen.queryByText(/^These organizations/)).toBeNull();
});

it('needs a connection, and can be tried again', async () => {
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const ask = vi
    .fn<Data['organizations']>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValue(clubs);
  const { user } = openShare(ask);
  expect(await screen.findByText('Something went wrong.')).toBeDefined();
  expect(screen.getByText(/^The list of organizations needs a connection\./)).toBeDefined();
  isOnline.mockRestore();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('The Whistle Field')).toBeDefined();
});

it('shows the list by itself when the connection comes back', async () => {
  act(() => connection.note(false));
  openShare(
    vi
      .fn<Data['organizations']>()
      .mockRejectedValueOnce(new Error('offline'))
      .mockResolvedValue(clubs),
  );
  expect(await screen.findByText(/^The list of organizations needs a connection\./)).toBeDefined();
  act(() => connection.note(true));
  expect(await screen.findByText('The Whistle Field')).toBeDefined();
});

it('asks the server once for two visits within a minute', async () => {
  const ask = vi.fn<Data['organizations']>().mockResolvedValue(clubs);
  const { data, goTo } = openShare(ask);
  data.pets.set([petRow('pet', 'Bramble'), petRow('other', 'Moss')]);
  expect(await screen.findByText('The Whistle Field')).toBeDefined();
  act(() => goTo('/pets/other/actions/share'));
  expect(await screen.findByText('Moss')).toBeDefined();
  expect(screen.getByText('The Whistle Field')).toBeDefined();
  expect(ask).toHaveBeenCalledTimes(1);
});

it('says that it did not come where there is a connection, and keeps the focus while it is tried again', async () => {
  const second = deferred<typeof clubs>();
  const refusal = Object.assign(new Error('refused'), { kind: 'permanent' });
  const { user } = openShare(
    vi
      .fn<Data['organizations']>()
      .mockRejectedValueOnce(refusal)
      .mockReturnValueOnce(second.promise),
  );
  const told = await screen.findByRole('alert');
  expect(within(told).getByText('The list of organizations did not come.')).toBeDefined();
  const button = within(told).getByRole('button', { name: 'Try again' });
  await user.click(button);
  expect(button.textContent).toBe('Trying again…');
  expect(document.activeElement).toBe(button);
  second.resolve(clubs);
  expect(await screen.findByText('The Whistle Field')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});
