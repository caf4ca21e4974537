import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeData, petRow } from '../../tests/support/fakes/fake-data.ts';
import { openApp, type OpenAppOptions } from '../../tests/support/setups/open-app.tsx';
import { areShortcutsShownAtom } from '../lib/react/shortcuts-state.ts';
import { followShortcuts } from './key-shortcuts.ts';

let end = (): void => undefined;

afterEach(() => {
  end();
  localStorage.clear();
});

function openPages(options: Omit<OpenAppOptions, 'data'>) {
  const data = fakeData({ addNote: async () => 'note' });
  data.pets.set([petRow('one', 'Bramble')]);
  const app = openApp({ ...options, data });
  end = followShortcuts({ ...app, page: document });
  return app;
}

async function openProfile() {
  const app = openPages({ path: '/pets/one/profile' });
  return { ...app, box: await screen.findByRole('textbox', { name: 'Write a note' }) };
}

describe('a single key', () => {
  it('"/" leads to the search, of the dog whose page is shown', async () => {
    const { user, history } = await openProfile();
    await user.keyboard('/');
    const box = await screen.findByRole('searchbox', { name: 'Search the journal' });
    expect(history.location.href).toBe('/search?pet=one');
    box.blur();
    await user.keyboard('/');
    expect(document.activeElement).toBe(box);
  });

  it('"/" leads there beside the search of breeds too', async () => {
    const { user, history } = openPages({ path: '/pets/one/actions/set-breed' });
    (await screen.findByRole('searchbox', { name: 'Search breeds' })).blur();
    await user.keyboard('/');
    await screen.findByRole('searchbox', { name: 'Search the journal' });
    expect(history.location.href).toBe('/search?pet=one');
  });

  it('"n" goes to the box for a note, and is not typed into it', async () => {
    const { user, box } = await openProfile();
    await user.keyboard('n');
    expect(document.activeElement).toBe(box);
    await user.keyboard('n/?');
    expect(box).toHaveProperty('value', 'n/?');
  });

  it.each([
    ['/pets/one/actions', '/pets/one/actions/add-note'],
    // The only dog is chosen at once.
    ['/settings', '/pets/one/actions/add-note'],
  ])('"n" on %s leads to %s', async (from, to) => {
    const { user, path } = openPages({ path: from });
    await screen.findByRole('heading', { level: 1 });
    await user.keyboard('n');
    await waitFor(() => expect(path()).toBe(to));
  });

  it('"n" leads back to where it was pressed, once the note is saved', async () => {
    const { user, path } = openPages({ path: '/settings' });
    await screen.findByRole('heading', { level: 1 });
    await user.keyboard('n');
    await user.type(await screen.findByRole('textbox'), 'Ducks');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(path()).toBe('/settings'));
  });

  it('"?" lists them all, and does nothing more while the list is open', async () => {
    const { user, path } = openPages({ path: '/settings' });
    await screen.findByRole('heading', { level: 1 });
    await user.keyboard('?');
    const list = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const effect of ['Search', 'Write a note', 'Show this list']) {
      expect(list.textContent).toContain(effect);
    }
    await user.keyboard('n');
    expect(path()).toBe('/settings');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('lists the keys of the composer as they are set', async () => {
    const { user } = openPages({ path: '/settings' });
    await screen.findByRole('heading', { level: 1 });
    const keysOf = async (effect: string) => {
      await user.keyboard('?');
      const term = within(await screen.findByRole('dialog')).getByText(effect);
      const keys = [...(term.parentElement?.querySelectorAll('kbd') ?? [])];
      await user.click(screen.getByRole('button', { name: 'Close' }));
      return keys.map((key) => key.textContent).join('+');
    };
    expect(await keysOf('Send the note')).toBe('Enter');
    expect(await keysOf('Begin a new line in a note')).toBe('Shift+Enter');
    await user.click(screen.getByRole('checkbox', { name: 'Enter starts a new line' }));
    expect(await keysOf('Send the note')).toBe('Ctrl+Enter');
    expect(await keysOf('Begin a new line in a note')).toBe('Enter');
  });

  it('does nothing in an open menu, where letters go to its entries', async () => {
    const { user, path } = openPages({ path: '/pets' });
    await user.click(await screen.findByRole('button', { name: 'Actions for Bramble' }));
    await screen.findByRole('menu');
    await user.keyboard('n');
    expect(path()).toBe('/pets');
    expect(screen.getByRole('menu')).toBeDefined();
    await user.keyboard('{Escape}');
  });

  it('does nothing together with Ctrl, Alt or the key of the system, nor while it is held', async () => {
    const { path } = openPages({ path: '/settings' });
    await screen.findByRole('heading', { level: 1 });
    for (const how of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { repeat: true }]) {
      fireEvent.keyDown(document.body, { key: 'n', ...how });
    }
    expect(path()).toBe('/settings');
  });

  it('does nothing for a stranger', async () => {
    const { user, store, router, path } = openPages({
      path: '/privacy',
      auth: { user: null, status: 'idle' },
    });
    await screen.findByRole('heading', { level: 1 });
    await user.keyboard('?n');
    await act(() => router.load());
    expect(store.get(areShortcutsShownAtom)).toBe(false);
    expect(path()).toBe('/privacy');
  });

  it('does nothing once they are switched off, which the help page takes back', async () => {
    const { user } = openPages({ path: '/help' });
    const open = await screen.findByRole('button', { name: 'Keyboard shortcuts' });
    const flip = async (): Promise<void> => {
      await user.click(open);
      await user.click(await screen.findByRole('checkbox', { name: 'Use single keys' }));
      await user.click(screen.getByRole('button', { name: 'Close' }));
    };
    await flip();
    await user.keyboard('?');
    expect(screen.queryByRole('dialog')).toBeNull();
    await flip();
    await user.keyboard('?');
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeDefined();
  });
});
