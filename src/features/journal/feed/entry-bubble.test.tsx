import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  entryRow,
  fakeData,
  nothingUnsent,
  petRow,
} from '../../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../../tests/support/setups/open-app.tsx';
import { version } from '../../../../tests/support/setups/open-sheet.tsx';

async function openBubble(text: string) {
  const data = fakeData();
  data.pets.set([petRow('pet', 'Bramble')]);
  data.entries.set([entryRow('one', 1, { text })]);
  const app = openApp({ path: '/pets/pet/profile', data });
  await screen.findByRole('list', { name: 'Journal' });
  return app;
}

function bubbles(): HTMLElement[] {
  return within(screen.getByRole('list', { name: 'Journal' })).getAllByRole('listitem');
}

describe('a long text in a bubble', () => {
  it('is left to the page of the note, which shows all of a long one', async () => {
    const text = `${'ducks '.repeat(1_600)}home`;
    const { user, path: here } = await openBubble(text);
    const more = await screen.findByRole('link', { name: 'Show all' });
    expect(bubbles()[0]?.textContent.length).toBeLessThan(800);
    expect(more.getAttribute('aria-describedby')).not.toBeNull();
    await user.click(more);
    expect((await screen.findByRole('article')).textContent).toContain(text);
    expect(here()).toBe('/pets/pet/notes/one');
  });

  it('is cut after some lines too', async () => {
    await openBubble('line\n'.repeat(30).trim());
    await screen.findByRole('link', { name: 'Show all' });
    expect(bubbles()[0]?.querySelector('p')?.textContent).toBe(`${'line\n'.repeat(12).trim()}…`);
  });

  it('leaves links in a note to be followed, and the note to be opened beside them', async () => {
    const text = 'see https://a.example/b, <b>not</b> javascript:alert(1)';
    const { user, path: here } = await openBubble(text);
    const link = await screen.findByRole('link', { name: 'https://a.example/b' });
    expect(link.getAttribute('href')).toBe('https://a.example/b');
    expect(link.getAttribute('target')).toBe('_blank');
    expect(link.getAttribute('rel')).toBe('noopener');
    expect(within(bubbles()[0] ?? document.body).getAllByRole('link')).toHaveLength(2);
    expect(bubbles()[0]?.textContent).toContain(text);
    await user.click(screen.getByRole('link', { name: 'Open' }));
    expect(await screen.findByRole('article')).toBeDefined();
    expect(here()).toBe('/pets/pet/notes/one');
    expect(await screen.findByRole('link', { name: 'https://a.example/b' })).toBeDefined();
  });
});

it.each([
  ['without a date', {}],
  ['that was exported and imported without one', { createdDate: 0 }],
])('an entry %s has none, and is of no day', async (_, dated) => {
  const data = fakeData();
  data.pets.set([petRow('pet', 'Bramble')]);
  const fields = { type: 'note', text: 'one', ...dated };
  data.entries.set([{ ...entryRow('one', 0), fields }]);
  const { user } = openApp({ path: '/pets/pet/profile', data });
  const list = within(await screen.findByRole('list', { name: 'Journal' }));
  expect((await list.findByRole('listitem')).textContent).toContain('No date');
  expect(list.queryByRole('heading')).toBeNull();
  await user.click(list.getByRole('link'));
  expect((await screen.findByRole('article')).textContent).toContain('No date');
});

describe('an entry with another version', () => {
  it('leads to it from its bubble, for as long as it is kept', async () => {
    const { user, data, path: here } = await openBubble('what another device wrote');
    act(() => data.entries.set([...data.entries.getSnapshot(), entryRow('two', 2)]));
    expect(screen.queryByRole('link', { name: 'Other version' })).toBeNull();
    act(() => data.overview.set({ ...nothingUnsent, versions: [version] }));
    const link = await screen.findByRole('link', { name: 'Other version' });
    expect(bubbles()[0]?.contains(link)).toBe(true);
    act(() => data.overview.set(nothingUnsent));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Other version' })).toBeNull());

    act(() => data.overview.set({ ...nothingUnsent, versions: [version] }));
    await user.click(await screen.findByRole('link', { name: 'Other version' }));
    expect(here()).toBe('/pets/pet/notes/one');
    expect(await screen.findByRole('list', { name: 'Other versions' })).toBeDefined();
  });

  it('is known by one query for the whole journal', async () => {
    const data = fakeData();
    let count = 0;
    const idsWithOtherVersions = () => {
      count += 1;
      return data.queries.idsWithOtherVersions();
    };
    data.pets.set([petRow('pet', 'Bramble')]);
    data.entries.set([entryRow('one', 1), entryRow('two', 2), entryRow('three', 3)]);
    const queries = { ...data.queries, idsWithOtherVersions };
    openApp({ path: '/pets/pet/profile', data: { ...data, queries } });
    await waitFor(() => expect(bubbles()).toHaveLength(3));
    expect(count).toBe(1);
  });
});
