import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import {
  deferred,
  fakeData,
  petRow,
  type PetPart,
} from '../../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../../tests/support/setups/open-app.tsx';
import type { Commands } from '../../../data/commands/commands.ts';
import { draftNames } from '../../../lib/draft.ts';

type UpdatePet = Commands['updatePet'];

function open(path: string, part: PetPart, commands: Partial<Commands> = {}) {
  const data = fakeData(commands);
  data.pets.set([petRow('pet', 'Bramble', part)]);
  return openApp({ path, data });
}

describe('editing the details', () => {
  const known = { breed: 'Vizsla', dob: '2020-01-01', description: 'Likes water' };
  const opened = { name: 'Bramble', ...known };

  async function openDetails(updatePet: UpdatePet = async () => undefined, part = known) {
    const app = open('/pets/pet/actions/edit-details', part, { updatePet });
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Pet Name' });
    return { ...app, name, save: screen.getByRole('button', { name: 'Save' }) };
  }

  it('writes only the changed fields', async () => {
    const updatePet = vi.fn<UpdatePet>(async () => undefined);
    const { user, name, save, path } = await openDetails(updatePet);
    await user.clear(name);
    await user.type(name, ' Bracken ');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Breed' }), 'Not set');
    await user.dblClick(save);
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
    expect(updatePet.mock.calls).toEqual([['pet', { name: 'Bracken', breed: null }, opened]]);
  });

  it('writes nothing when nothing was changed', async () => {
    const updatePet = vi.fn<UpdatePet>(async () => undefined);
    const { user, save, path } = await openDetails(updatePet);
    await user.click(save);
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
    expect(updatePet).not.toHaveBeenCalled();
  });

  it('keeps a description that was begun and left, until it is saved', async () => {
    const begun = await openDetails();
    await begun.user.type(screen.getByRole('textbox', { name: 'Description' }), ' and mud');
    cleanup();
    const updatePet = vi.fn<UpdatePet>(async () => undefined);
    const second = await openDetails(updatePet);
    expect(screen.getByText('You entered this before. It is not saved yet.')).toBeDefined();
    await second.user.click(second.save);
    await waitFor(() => expect(second.path()).toBe('/pets/pet/profile'));
    expect(updatePet.mock.calls).toEqual([['pet', { description: 'Likes water and mud' }, opened]]);
    cleanup();
    await openDetails();
    expect(screen.getByDisplayValue('Likes water')).toBeDefined();
  });

  it('keeps every field that was begun and left, until it is saved', async () => {
    const begun = await openDetails();
    await begun.user.type(begun.name, ' II');
    await begun.user.selectOptions(
      screen.getByRole('combobox', { name: 'Breed' }),
      'Bracco Italiano',
    );
    fireEvent.change(screen.getByLabelText('Date of Birth'), { target: { value: '2020-02-02' } });
    cleanup();
    const updatePet = vi.fn<UpdatePet>(async () => undefined);
    const second = await openDetails(updatePet);
    expect(screen.getAllByText('You entered this before. It is not saved yet.')).toHaveLength(3);
    const breed = screen.getByRole('combobox', { description: /^You entered this before/ });
    expect(breed).toMatchObject({ value: 'Bracco Italiano' });
    await second.user.click(second.save);
    await waitFor(() => expect(second.path()).toBe('/pets/pet/profile'));
    const changes = { name: 'Bramble II', breed: 'Bracco Italiano', dob: '2020-02-02' };
    expect(updatePet.mock.calls).toEqual([['pet', changes, opened]]);
    expect(draftNames('owner')).toEqual([]);
  });

  it('does not replace a description from another device by an old draft, and shows the draft', async () => {
    const begun = await openDetails();
    await begun.user.type(screen.getByRole('textbox', { name: 'Description' }), ' and mud');
    cleanup();
    const updatePet = vi.fn<UpdatePet>(async () => undefined);
    const { user, name, save, path } = await openDetails(updatePet, {
      ...known,
      description: 'A long new text',
    });
    expect(screen.getByText('Likes water and mud')).toBeDefined();
    await user.type(name, 'y');
    await user.click(save);
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
    expect(updatePet.mock.calls).toEqual([
      ['pet', { name: expect.stringMatching(/y$/) }, { ...opened, description: 'A long new text' }],
    ]);
  });

  it('tells which values it was opened with, though others came meanwhile', async () => {
    const updatePet = vi.fn<UpdatePet>(async () => undefined);
    const { user, save, path, data } = await openDetails(updatePet);
    await user.type(screen.getByRole('textbox', { name: 'Description' }), ' and mud');
    act(() => data.pets.set([petRow('pet', 'Bramble', { description: 'Afraid of cows' })]));
    await user.click(save);
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
    expect(updatePet.mock.calls).toEqual([['pet', { description: 'Likes water and mud' }, opened]]);
  });

  it('keeps what is typed into the description while it is being saved', async () => {
    const saved = deferred<undefined>();
    const updatePet = vi.fn<UpdatePet>(() => saved.promise);
    const { user, save, path } = await openDetails(updatePet);
    const box = screen.getByRole('textbox', { name: 'Description' });
    await user.type(box, ' and mud');
    await user.click(save);
    await user.type(box, ', hates thunder');
    await act(async () => saved.resolve(undefined));
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
    expect(updatePet.mock.calls).toEqual([['pet', { description: 'Likes water and mud' }, opened]]);
    cleanup();
    await openDetails(undefined, { ...known, description: 'Likes water and mud' });
    expect(screen.getByText('Likes water and mud, hates thunder')).toBeDefined();
  });

  it('keeps a breed that is not in the list', async () => {
    const { user, save, path } = await openDetails(undefined, { ...known, breed: 'Hound' });
    expect(screen.getByRole<HTMLSelectElement>('combobox').value).toBe('Hound');
    await user.click(save);
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
  });

  it('shows each problem at its field, and focuses the first', async () => {
    const { user, name, save } = await openDetails();
    const description = screen.getByRole('textbox', { name: 'Description' });
    await user.clear(name);
    await user.type(name, '   ');
    await user.clear(description);
    await user.click(description);
    await user.paste('x'.repeat(10_000));
    await user.click(save);
    expect(screen.getByText('Pet name is required')).toBeDefined();
    expect(screen.getByText('A description can have at most 2,000 characters')).toBeDefined();
    expect(screen.getByText(/10,000 \/ 2,000/)).toBeDefined();
    expect(document.activeElement).toBe(name);
  });

  it('shows markup, emoji and other scripts as they were written', async () => {
    const description = '<b>כלב</b> 🐕 <script>alert(1)</script>';
    open('/pets', { description });
    expect(await screen.findByText(description)).toBeDefined();
    expect(screen.getByText(description).getAttribute('dir')).toBe('auto');
  });
});
