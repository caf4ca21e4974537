import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';

beforeEach(() => {
  vi.spyOn(globalThis, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), {
      media,
      matches: media.startsWith('(min-width'),
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
  );
});

afterEach(() => vi.restoreAllMocks());

const bramble = petRow('one', 'Bramble', {
  breed: 'Vizsla',
  dob: '2020-03-04',
  description: 'Likes water',
});

function openDesk(path: string, pets = [bramble, petRow('two', 'Otter')]) {
  const data = fakeData();
  data.pets.set(pets);
  return openApp({ path, data });
}

describe('on a wide screen', () => {
  it.each(['/pets/one/profile', '/pets/one/actions', '/pets/one/actions/add-note'])(
    'the dog of %s is marked among all dogs, and told of beside',
    async (path) => {
      openDesk(path);
      const pets = await screen.findByRole('navigation', { name: 'Dogs' });
      const current = path.endsWith('profile') ? 'page' : 'true';
      const link = (name: string) => within(pets).getByRole('link', { name });
      expect(link('Bramble').getAttribute('aria-current')).toBe(current);
      expect(link('Otter').getAttribute('aria-current')).toBeNull();

      const details = await screen.findByRole('region', { name: 'Details of Bramble' });
      expect(details.textContent).toMatch(/BreedVizslaAge\d+ yearsBorn4 March 2020Likes water/);
      const edit = within(details).getByRole('link', { name: 'Edit Details' });
      expect(edit.getAttribute('href')).toBe('/pets/one/actions/edit-details');
      const search = screen.getAllByRole('link', { name: 'Search' });
      expect(search.map((found) => found.getAttribute('href'))).toEqual(['/search?pet=one']);
    },
  );

  it.each(['/pets', '/settings', '/pets/one/profile'])(
    'there are the menu, the search and a new dog on %s, each once',
    async (path) => {
      openDesk(path);
      await screen.findByRole('navigation', { name: 'Dogs' });
      await screen.findByRole('link', { name: 'Search' });
      expect(screen.getAllByRole('button', { name: 'Menu' })).toHaveLength(1);
      expect(screen.getAllByRole('link', { name: 'Add dog' })).toHaveLength(1);
    },
  );

  it('Search on the page of the search leads to its box, and adds no step without the words', async () => {
    const { user, path, router } = openDesk('/search?q=ducks');
    await screen.findByDisplayValue('ducks');
    const { length } = router.history;
    await user.click(await screen.findByRole('link', { name: 'Search' }));
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    expect([path(), router.history.length]).toEqual(['/search?q=ducks', length]);
  });

  it('Search beside the search of breeds leads to the page of the search', async () => {
    const { user, path } = openDesk('/pets/one/actions/set-breed');
    await screen.findByRole('searchbox', { name: 'Search breeds' });
    await user.click(await screen.findByRole('link', { name: 'Search' }));
    await screen.findByRole('searchbox', { name: 'Search the journal' });
    expect(path()).toBe('/search?pet=one');
  });

  it('an owner without dogs is offered the first one in only one place', async () => {
    openDesk('/pets', []);
    await screen.findByRole('link', { name: 'Get started' });
    await screen.findByRole('button', { name: 'Menu' });
    expect(screen.queryByRole('link', { name: 'Add dog' })).toBeNull();
  });

  it('a dog that is of a newer version of the app cannot be changed', async () => {
    openDesk('/pets/one/profile', [{ ...bramble, code: 'newer-schema' }]);
    const details = await screen.findByRole('region', { name: 'Details of Bramble' });
    expect(within(details).queryByRole('link')).toBeNull();
  });

  it('says nothing of a dog that is not here', async () => {
    openDesk('/pets/none/profile');
    await screen.findByRole('link', { name: 'Search' });
    expect(screen.queryByRole('region', { name: /Details/ })).toBeNull();
  });

  it('opens the list of keyboard shortcuts', async () => {
    const { user } = openDesk('/pets');
    await user.click(await screen.findByRole('button', { name: 'Keyboard shortcuts' }));
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeDefined();
  });
});
