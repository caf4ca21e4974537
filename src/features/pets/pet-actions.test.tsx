import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { FinishedExport, Transfers } from '../../data/transfer/transfers.ts';
import {
  exported,
  deferred,
  entryRow,
  fakeData,
  petRow,
  type PetPart,
} from '../../../tests/support/fakes/fake-data.ts';
import { watchDownloads } from '../../../tests/support/setups/open-sheet.tsx';
import { openApp, type OpenedApp } from '../../../tests/support/setups/open-app.tsx';
import { CommandError, type Commands } from '../../data/commands/commands.ts';
import { draftNames, writeDraft } from '../../lib/draft.ts';

type UpdatePet = Commands['updatePet'];

function open(path: string, part: PetPart = {}, commands: Partial<Commands> = {}) {
  const data = fakeData(commands);
  data.pets.set([petRow('pet', 'Bramble', part)]);
  return openApp({ path, data });
}

function actions(): (string | null)[] {
  return within(screen.getByRole('list', { name: 'Actions' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
}

const first = ['Add Note', 'Record Voice Note'];
const always = ['Share with Trainer', 'Change Profile Picture', 'Edit Details', 'Delete Profile'];

describe('the actions', () => {
  it.each([
    [{}, ['Set Breed', 'Set Date of Birth', ...always]],
    [{ breed: 'Vizsla' }, ['Set Date of Birth', ...always]],
    [{ dob: '2020-01-01' }, ['Set Breed', ...always]],
    [{ breed: 'Vizsla', dob: '2020-01-01' }, always],
    [{ code: 'newer-schema' }, ['Share with Trainer', 'Delete Profile']],
  ])('of a dog with %o', async (part, labels) => {
    open('/pets/pet/actions', part);
    await screen.findByRole('list', { name: 'Actions' });
    expect(actions()).toEqual([...first, ...labels]);
  });

  it('are behind the plus of the profile', async () => {
    const { user, path } = open('/pets/pet/profile');
    await user.click(await screen.findByRole('link', { name: 'Actions' }));
    await screen.findByRole('list', { name: 'Actions' });
    expect(path()).toBe('/pets/pet/actions');
  });

  it('are in the menu of the card, and lead back to the list when they are done', async () => {
    const updatePet = vi.fn<UpdatePet>(async () => undefined);
    const { user, path } = open('/pets', {}, { updatePet });
    await user.click(await screen.findByRole('button', { name: 'Actions for Bramble' }));
    const menu = await screen.findByRole('menu');
    const labels = within(menu)
      .getAllByRole('menuitem')
      .map((item) => item.textContent);
    expect(labels).toEqual([...first, 'Set Breed', 'Set Date of Birth', ...always]);
    await user.click(within(menu).getByRole('menuitem', { name: 'Set Breed' }));
    await user.click(await screen.findByRole('radio', { name: 'Vizsla' }));
    await user.click(screen.getByRole('button', { name: 'Save breed' }));
    await screen.findByRole('heading', { name: 'My Dogs' });
    expect(path()).toBe('/pets');
  });

  it('come with the whole description, whose end the card cuts off', async () => {
    const description = 'Afraid of cows.\nLikes water.';
    const { data } = open('/pets/pet/actions', { description });
    const list = await screen.findByRole('list', { name: 'Actions' });
    expect(list.nextElementSibling?.textContent).toBe(description);
    act(() => data.pets.set([petRow('pet', 'Bramble')]));
    expect(list.nextElementSibling?.textContent).toBe('');
  });

  it('are not there for a dog that is not', async () => {
    const { data } = open('/pets/other/actions');
    expect(await screen.findByText('This dog is not on this device')).toBeDefined();
    act(() => data.deletedPetIds.set(['other']));
    expect(screen.getByText('This dog was deleted')).toBeDefined();
    expect(screen.getByRole('link', { name: 'My Dogs' })).toBeDefined();
  });
});

/** Opens an action from the profile, in the menu of actions. */
async function openAction(name: string, app: OpenedApp): Promise<void> {
  await app.user.click(await screen.findByRole('link', { name: 'Actions' }));
  await app.user.click(await screen.findByRole('link', { name }));
}

describe('setting the breed', () => {
  const weimaraner = [{ breed: 'Weimaraner' }, { breed: '' }];

  it('searches the list, saves once, and leads two steps back', async () => {
    const saved = deferred<void>();
    const updatePet = vi.fn<UpdatePet>(() => saved.promise);
    const app = open('/pets/pet/profile', {}, { updatePet });
    await openAction('Set Breed', app);
    expect(await screen.findAllByRole('radio')).toHaveLength(24);
    await app.user.type(screen.getByRole('searchbox', { name: 'Search breeds' }), 'flat-COATED');
    expect(screen.getAllByRole('radio')).toHaveLength(1);
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
      '1 breed',
    );
    await app.user.click(screen.getByRole('radio', { name: 'Flat Coated Retriever' }));
    await app.user.dblClick(screen.getByRole('button', { name: 'Save' }));
    await act(async () => saved.resolve());
    await screen.findByRole('textbox', { name: 'Write a note' });
    expect(app.path()).toBe('/pets/pet/profile');
    expect(updatePet.mock.calls).toEqual([
      ['pet', { breed: 'Flat Coated Retriever' }, { breed: '' }],
    ]);
  });

  it('takes the only match with Enter', async () => {
    const updatePet = vi.fn<UpdatePet>(async () => undefined);
    const { user } = open('/pets/pet/actions/set-breed', {}, { updatePet });
    await user.type(await screen.findByRole('searchbox'), 'weim{Enter}');
    await waitFor(() => expect(updatePet.mock.calls).toEqual([['pet', ...weimaraner]]));
  });

  it('tells which breed it was opened with, though another came meanwhile', async () => {
    const updatePet = vi.fn<UpdatePet>(async () => undefined);
    const { user, data } = open('/pets/pet/actions/set-breed', {}, { updatePet });
    await user.type(await screen.findByRole('searchbox'), 'weim');
    act(() => data.pets.set([petRow('pet', 'Bramble', { breed: 'Vizsla' })]));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(updatePet.mock.calls).toEqual([['pet', ...weimaraner]]));
  });

  it.each(['', '   ', 'poodle', 'x'.repeat(10_000), '<script>alert(1)</script>', '🐕', 'כלב'])(
    'asks for a breed of the list after %j',
    async (query) => {
      const { user } = open('/pets/pet/actions/set-breed');
      await user.click(await screen.findByRole('searchbox'));
      await user.paste(query);
      await user.click(screen.getByRole('button', { name: 'Save' }));
      expect(screen.getByRole('alert').textContent).toBe('Breed is required');
      expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    },
  );

  it('keeps the chosen breed visible during any search', async () => {
    const { user } = open('/pets/pet/actions/set-breed');
    await user.click(await screen.findByRole('radio', { name: 'Vizsla' }));
    await user.type(screen.getByRole('searchbox'), 'setter');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Vizsla' }).checked).toBe(true);
    expect(screen.getAllByRole('radio')).toHaveLength(4);
  });

  it('leads nowhere once the owner has left', async () => {
    const saved = deferred<void>();
    const app = open('/pets/pet/profile', {}, { updatePet: () => saved.promise });
    await openAction('Set Breed', app);
    await app.user.click(await screen.findByRole('radio', { name: 'Vizsla' }));
    await app.user.click(screen.getByRole('button', { name: 'Save' }));
    await app.user.click(screen.getByRole('button', { name: 'Back' }));
    await screen.findByRole('list', { name: 'Actions' });
    await act(async () => saved.resolve());
    expect(app.path()).toBe('/pets/pet/actions');
  });

  it('says so when it could not be stored, and can be tried again', async () => {
    const updatePet = vi
      .fn<UpdatePet>()
      .mockRejectedValueOnce(new CommandError('storage', 'Full.'))
      .mockResolvedValueOnce();
    const { user, path } = open('/pets/pet/actions/set-breed', {}, { updatePet });
    await user.click(await screen.findByRole('radio', { name: 'Vizsla' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Full.');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
  });
});

describe('setting the date of birth', () => {
  const today = new Date().toLocaleDateString('sv');

  async function openDate(updatePet?: UpdatePet) {
    const app = open('/pets/pet/actions/set-dob', {}, updatePet === undefined ? {} : { updatePet });
    return { ...app, box: await screen.findByLabelText<HTMLInputElement>('Date of Birth') };
  }

  it('begins with today, which can be saved', async () => {
    const updatePet = vi.fn<UpdatePet>(async () => undefined);
    const { user, box, path } = await openDate(updatePet);
    expect(box.value).toBe(today);
    expect(box.max).toBe(today);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
    expect(updatePet.mock.calls).toEqual([['pet', { dob: today }, { dob: '' }]]);
  });

  it.each([
    ['', 'Date of birth is required'],
    ['2999-01-01', 'Date of birth cannot be in the future'],
    ['0001-01-01', 'Date of birth cannot be before the year 1900'],
  ])('refuses %j', async (date, message) => {
    const { user, box } = await openDate();
    await user.clear(box);
    if (date !== '') await user.type(box, date);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText(message).id).toBe(box.getAttribute('aria-describedby'));
    expect(document.activeElement).toBe(box);
  });
});

describe('deleting a dog', () => {
  const entries = [
    entryRow('one', 1),
    entryRow('two', 2),
    entryRow('said', 3, { type: 'voice-note' }),
    entryRow('other', 4, { petId: 'other' }),
  ];

  function openDelete(deletePet: Commands['deletePet']) {
    const data = fakeData({ deletePet });
    data.pets.set([petRow('pet', 'Bramble')]);
    data.entries.set(entries);
    return openApp({ path: '/pets/pet/delete', data });
  }

  it('lists the data to be deleted, and leads to the list of dogs', async () => {
    const deletePet = vi.fn<Commands['deletePet']>(async () => undefined);
    writeDraft({ owner: 'owner', name: 'pet' }, 'half a thought of Bramble');
    writeDraft({ owner: 'owner', name: 'other' }, 'half a thought of another');
    const { user, path } = openDelete(deletePet);
    const dialog = await screen.findByRole('alertdialog', { name: "Delete Pet's Profile" });
    await within(dialog).findByText(
      '\u2068Bramble\u2069 goes, with 2 notes and 1 voice note, on all your devices.',
    );
    expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancel' }));
    await user.dblClick(within(dialog).getByRole('button', { name: 'Delete' }));
    await screen.findByRole('heading', { name: 'My Dogs' });
    expect(path()).toBe('/pets');
    expect(deletePet.mock.calls).toEqual([['pet']]);
    expect(draftNames('owner')).toEqual(['other']);
  });

  it('isolates a name that is written from right to left from the words around it', async () => {
    const { data } = openDelete(async () => undefined);
    act(() => data.pets.set([petRow('pet', 'כלב')]));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(await dialog.findByText(/^\u2068כלב\u2069 goes, with 2 notes/)).toBeDefined();
  });

  it('counts nothing and promises no copy before the journal is fetched', async () => {
    const { data } = openDelete(async () => undefined);
    act(() => data.fetchedOnce.set(false));
    const dialog = within(await screen.findByRole('alertdialog'));
    await dialog.findByText(
      '\u2068Bramble\u2069 goes, with the whole journal, on all your devices.',
    );
    await dialog.findByText(
      'There is no way back. An export keeps a copy of what this device has so far in a file.',
    );
    act(() => data.fetchedOnce.set(true));
    await dialog.findByText(/^\u2068Bramble\u2069 goes, with 2 notes and 1 voice note/);
    const whole = 'There is no way back. An export keeps a copy of it all in a file.';
    expect(dialog.getByText(whole)).toBeDefined();
  });

  it('that ends late does not pull its owner off another page', async () => {
    const result = deferred<undefined>();
    writeDraft({ owner: 'owner', name: 'pet' }, 'half a thought');
    const { user, goTo, path } = openDelete(() => result.promise);
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    act(() => goTo('/help'));
    const heading = { level: 1, name: 'Help & Support' };
    await screen.findByRole('heading', heading);
    await act(async () => result.resolve(undefined));
    await waitFor(() => expect(draftNames('owner', 'pet')).toEqual([]));
    expect(path()).toBe('/help');
    expect(screen.getByRole('heading', heading)).toBeDefined();
  });

  it('is called off with Cancel, to the profile if there is no way back', async () => {
    const { user, path } = openDelete(async () => undefined);
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    await screen.findByRole('textbox', { name: 'Write a note' });
    expect(path()).toBe('/pets/pet/profile');
  });

  it('says so when it could not be stored', async () => {
    const refuse = () => Promise.reject(new CommandError('storage', 'Full.'));
    const { user } = openDelete(refuse);
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Full.');
    expect(screen.getByRole('alertdialog')).toBeDefined();
  });

  it('offers the whole journal as a file', async () => {
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
    const blobs: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) blobs.push(blob);
      return 'blob:x';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { user, data } = openDelete(async () => undefined);
    const exportZip = vi.fn<Transfers['exportZip']>(async () => exported);
    data.transfersCell.set({ exportZip });
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    const { size, type } = exported.zip;
    await waitFor(() => expect(blobs).toMatchObject([{ size, type }]));
    expect(exportZip.mock.calls[0]?.[0]).toEqual({ kind: 'pet', petId: 'pet' });
    vi.restoreAllMocks();
  });

  it('waits for the export, and says what the file lacks', async () => {
    const { clicked } = watchDownloads();
    const deletePet = vi.fn<Commands['deletePet']>(async () => undefined);
    const { user, data } = openDelete(deletePet);
    const result = deferred<FinishedExport>();
    data.transfersCell.set({ exportZip: () => result.promise });
    const button = (name: string) => screen.findByRole('button', { name });
    await user.click(await button('Export'));
    await screen.findByText('Exporting…');
    expect((await button('Delete')).getAttribute('aria-disabled')).toBe('true');
    await user.click(await button('Delete'));
    await act(async () => result.resolve({ ...exported, missingFiles: 1 }));
    await screen.findByText(/1 recording or picture is not in it/);
    expect(clicked).toHaveBeenCalledOnce();
    expect(deletePet).not.toHaveBeenCalled();
    await user.click(await button('Delete'));
    await screen.findByRole('heading', { name: 'My Dogs' });
    expect(deletePet).toHaveBeenCalledOnce();
    clicked.mockRestore();
  });
});
