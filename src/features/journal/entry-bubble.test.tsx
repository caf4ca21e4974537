import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { entryRow, fakeData, petRow } from '../../../tests/support/fake-data.ts';
import { openApp } from '../../../tests/support/open-app.tsx';

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

describe('what does not fit into a bubble', () => {
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
