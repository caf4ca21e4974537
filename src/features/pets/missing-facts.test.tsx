import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeData, petRow, type PetPart } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { forgetDismissedHints } from '../../platform/storage/dismissed-hints.ts';

const profile = '/pets/pet/profile';

function openProfile(part: PetPart = {}) {
  const data = fakeData({
    updatePet: async (id, changes) => {
      const { breed } = changes;
      data.pets.set([petRow(id, 'Bramble', typeof breed === 'string' ? { breed } : {})]);
    },
  });
  data.pets.set([petRow('pet', 'Bramble', part)]);
  return openApp({ path: profile, data });
}

async function chips(): Promise<readonly (string | null)[]> {
  await screen.findByRole('heading', { level: 1, name: 'Bramble' });
  return screen.queryAllByRole('link', { name: /^Add/ }).map(({ ariaLabel }) => ariaLabel);
}

describe('the profile of a new dog', () => {
  it.each<[PetPart, string[]]>([
    [{}, ['Add Picture', 'Add Breed', 'Add Birthday']],
    [{ breed: 'Vizsla' }, ['Add Picture', 'Add Birthday']],
    [{ dob: '2024-01-01', profilePicturePath: 'a/b.jpg' }, ['Add Breed']],
    [{ breed: 'Vizsla', dob: '2024-01-01', profilePicturePath: 'a/b.jpg' }, []],
    [{ code: 'newer-schema' }, []],
  ])('with the facts %j offers %j', async (part, offered) => {
    openProfile(part);
    expect(await chips()).toEqual(offered);
  });

  it('is shown again after a fact was saved, and offers one less', async () => {
    const { user, path } = openProfile();
    await user.click(await screen.findByRole('link', { name: 'Add Breed' }));
    await user.click(await screen.findByRole('radio', { name: 'Vizsla' }));
    await user.click(screen.getByRole('button', { name: 'Save breed' }));
    await screen.findByRole('heading', { level: 1, name: 'Bramble' });
    expect(path()).toBe(profile);
    expect(await chips()).toHaveLength(2);
    expect(screen.getByText('Vizsla')).toBeDefined();
  });

  it('offers no more once its owner has said so, until a sign-out has cleared the device', async () => {
    const { user, goTo } = openProfile();
    const list = await screen.findByRole('list', { name: 'Not set yet' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(3);
    await user.click(screen.getByRole('button', { name: 'Hide these' }));
    expect(await chips()).toEqual([]);
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Actions' }));
    act(() => goTo('/pets'));
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    act(() => goTo(profile));
    expect(await chips()).toEqual([]);
    act(() => goTo('/pets'));
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    forgetDismissedHints('owner');
    act(() => goTo(profile));
    await waitFor(async () => expect(await chips()).toHaveLength(3));
  });
});
