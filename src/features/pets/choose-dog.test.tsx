import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';

function open(path: string, ...names: string[]) {
  const data = fakeData();
  data.pets.set(names.map((name) => petRow(name.toLowerCase(), name)));
  return openApp({ path, data });
}

describe('a shortcut', () => {
  it.each([
    ['/quick/note', '/pets/moss/actions/add-note'],
    ['/quick/voice', '/pets/moss/actions/add-voice-note'],
  ])('%s asks for the dog', async (from, to) => {
    const { user, path } = open(from, 'Bramble', 'Moss');
    await user.click(await screen.findByRole('button', { name: 'Moss' }));
    await waitFor(() => expect(path()).toBe(to));
  });

  it.each([
    ['/quick/note', '/pets/moss/actions/add-note'],
    ['/quick/voice', '/pets/moss/actions/add-voice-note'],
  ])('%s asks nothing where there is one dog', async (from, to) => {
    const { path } = open(from, 'Moss');
    await waitFor(() => expect(path()).toBe(to));
  });

  it('does not take the one dog that is here for the only one before all were fetched', async () => {
    const data = fakeData();
    data.fetchedOnce.set(false);
    data.pets.set([petRow('moss', 'Moss')]);
    const { path } = openApp({ path: '/quick/note', data });
    await screen.findByRole('button', { name: 'Moss' });
    expect(path()).toBe('/quick/note');
  });

  it('leads to the list of dogs if there is none', async () => {
    open('/quick/note');
    const link = await screen.findByRole('link', { name: 'My Dogs' });
    expect(link.getAttribute('href')).toBe('/pets');
  });
});
