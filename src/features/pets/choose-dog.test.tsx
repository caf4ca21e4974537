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
    ['/quick/share?text=Look', '/pets/moss/profile'],
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

  it.each(['true', '1e3', '007', '"quoted"', '[1]', '12345678901234567890'])(
    'takes the text %s from the address as it is',
    async (text) => {
      open(`/quick/share?text=${encodeURIComponent(text)}`, 'Moss');
      const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Write a note' });
      expect(box.value).toBe(text);
    },
  );

  it('puts shared text into the box of the journal', async () => {
    const query = new URLSearchParams({ title: 'Ponds', text: 'Look', url: 'https://a.example' });
    open(`/quick/share?${query.toString()}`, 'Moss');
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Write a note' });
    expect(box.value).toBe('Ponds\nLook\nhttps://a.example');
  });
});
