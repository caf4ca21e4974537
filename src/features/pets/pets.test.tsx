import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { fakeData, petRow, type FakeData } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { CommandError, type Commands } from '../../data/commands/commands.ts';

describe('my dogs', () => {
  it('are a list of cards that lead to their profiles', async () => {
    const data = fakeData();
    data.pets.set([
      petRow('one', 'Bramble', { breed: 'Vizsla', dob: '2020-01-01', description: 'Likes water' }),
      petRow('two', 'Otter'),
    ]);
    const { user, path } = openApp({ path: '/pets', data });
    const list = await screen.findByRole('list', { name: 'Dogs' });
    const cards = within(list).getAllByRole('listitem');
    expect(cards).toHaveLength(2);
    expect(cards[0]?.textContent).toMatch(/Bramble.*Vizsla\s· \d+\syears.*Likes water/);
    await user.click(screen.getByRole('link', { name: /Otter/ }));
    await screen.findByRole('heading', { level: 1, name: 'Otter' });
    expect(path()).toBe('/pets/two/profile');
  });

  it('are called none only once everything was fetched', async () => {
    const data = fakeData();
    data.fetchedOnce.set(false);
    openApp({ path: '/pets', data });
    expect(await screen.findByText('Fetching your dogs…')).toBeDefined();
    const link = screen.getByRole('link', { name: 'Add dog' });
    const pressed = [...link.childNodes];
    act(() => data.fetchedOnce.set(true));
    // An owner may be pressing the link meanwhile, and a browser clicks nothing that is no longer in the page.
    expect(screen.getByRole('link', { name: 'Get started' })).toBe(link);
    expect([...link.childNodes]).toEqual(pressed);
    expect(link.getAttribute('href')).toBe('/pets/new');
    expect(screen.queryByText('Fetching your dogs…')).toBeNull();
  });

  it('need a connection if they were never fetched', async () => {
    const data = fakeData();
    data.fetchedOnce.set(false);
    openApp({ path: '/pets', data, activity: { phase: 'offline', problem: null } });
    expect(await screen.findByText('Not fetched yet, needs a connection')).toBeDefined();
  });

  it('can be one more', async () => {
    const data = fakeData();
    data.pets.set([petRow('one', 'Bramble')]);
    const { user, path } = openApp({ path: '/pets', data });
    await user.click(await screen.findByRole('link', { name: 'Add dog' }));
    await screen.findByRole('heading', { level: 1, name: 'Create Pet' });
    expect(path()).toBe('/pets/new');
  });
});

describe('a new dog', () => {
  function dataThatCreates(): FakeData {
    const data: FakeData = fakeData({
      createPet: ({ name }) => {
        data.pets.set([petRow('new', name)]);
        return Promise.resolve('new');
      },
    });
    return data;
  }

  it.each(['the Save button', 'Enter'])('is made with %s and leads to its profile', async (how) => {
    const { user, path } = openApp({ path: '/pets/new', data: dataThatCreates() });
    const box = await screen.findByRole('textbox', { name: 'Pet Name' });
    await user.type(box, '  Bramble ');
    if (how === 'Enter') await user.keyboard('{Enter}');
    else await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByRole('heading', { level: 1, name: 'Bramble' });
    expect(path()).toBe('/pets/new/profile');
  });

  it.each([
    [' ', 'Pet name is required'],
    ['a'.repeat(101), 'A name can have at most 100 characters'],
  ])('is not made of %j', async (name, message) => {
    const { user } = openApp({ path: '/pets/new' });
    const box = await screen.findByRole('textbox', { name: 'Pet Name' });
    await user.click(box);
    await user.paste(name);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText(message).id).toBe(box.getAttribute('aria-describedby'));
    expect(document.activeElement).toBe(box);
  });

  it('says so when it could not be stored, keeps the name, and can be tried again', async () => {
    const createPet = vi.fn<Commands['createPet']>(() =>
      Promise.reject(new CommandError('storage', 'Full.')),
    );
    const { user } = openApp({ path: '/pets/new', data: fakeData({ createPet }) });
    const box = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Pet Name' });
    await user.type(box, 'Bramble{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Full.');
    expect(box.value).toBe('Bramble');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(createPet).toHaveBeenCalledTimes(2));
  });

  it('does not save because Save was pressed on an earlier visit', async () => {
    const createPet = vi.fn<Commands['createPet']>(() => Promise.resolve('new'));
    const { user } = openApp({ path: '/pets/new', data: fakeData({ createPet }) });
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await user.click(await screen.findByRole('link', { name: 'Get started' }));
    await screen.findByRole('textbox', { name: 'Pet Name' });
    expect(screen.queryByText('Pet name is required')).toBeNull();
    expect(createPet).not.toHaveBeenCalled();
  });
});

it.each(['/pets/bramble/profile', '/pets/bramble/profile/', '/pets/bramble/Profile'])(
  'Back leads from %s, which was opened by its address, to the list of dogs',
  async (path) => {
    const data = fakeData();
    data.pets.set([petRow('bramble', 'Bramble')]);
    const { user } = openApp({ path, data });
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'My Dogs' })).toBeDefined();
  },
);
