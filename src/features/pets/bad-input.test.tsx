import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { deferred, entryRow, fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { longText, oddTexts } from '../../../tests/support/fixtures/odd-texts.ts';
import { openApp, type OpenedApp } from '../../../tests/support/setups/open-app.tsx';
import { CommandError, type Commands } from '../../data/commands/commands.ts';

function open(path: string, commands: Partial<Commands> = {}): OpenedApp {
  const data = fakeData(commands);
  data.pets.set([petRow('pet', 'Bramble'), petRow('other', 'Otter')]);
  return openApp({ path, data });
}

async function put({ user }: OpenedApp, label: string, text: string): Promise<HTMLInputElement> {
  const box = await screen.findByLabelText<HTMLInputElement>(label);
  await user.clear(box);
  await user.click(box);
  await user.paste(text);
  return box;
}

async function save({ user }: OpenedApp): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Save' }));
}

/** The values of Bramble in the form of its details. */
const opened = { name: 'Bramble', breed: '', dob: '', description: '' };

const required = 'Pet name is required';
const forms = [
  ['creating a dog', '/pets/new', 'createPet'],
  ['editing the details', '/pets/pet/actions/edit-details', 'updatePet'],
] as const;

describe.each(forms)('the name, %s', (_name, path, command) => {
  it.each([
    ['', required],
    ['   ', required],
    ['\t \n', required],
    ['\u200B\u2060\uFE0F', required],
    [longText, 'A name can have at most 100 characters'],
    ['🐕'.repeat(51), 'A name can have at most 100 characters'],
  ])('is never %.20j', async (text, message) => {
    const write = vi.fn<() => Promise<never>>();
    const app = open(path, { [command]: write });
    const box = await put(app, 'Pet Name', text);
    await save(app);
    // The focus may not move, so the sentence itself has to be read out.
    const problem = screen.getByRole('alert');
    expect([problem.textContent, problem.id]).toEqual([
      message,
      box.getAttribute('aria-describedby'),
    ]);
    expect(document.activeElement).toBe(box);
    expect(box.value).toBe(text.replaceAll('\n', ''));
    expect(write).not.toHaveBeenCalled();
  });

  it.each(Object.values(oddTexts))('can be %j', async (text) => {
    const written: unknown[] = [];
    const app = open(path, {
      [command]: async (...given: readonly unknown[]) => {
        written.push(given.find((each) => typeof each === 'object'));
        return 'pet';
      },
    });
    const box = await put(app, 'Pet Name', ` ${text} `);
    expect(box.dir).toBe('auto');
    await save(app);
    await waitFor(() => expect(written).toEqual([{ name: text }]));
  });
});

describe.each(Object.entries(oddTexts))('a dog whose name and words are %s', (_kind, text) => {
  const paths = ['/pets', '/pets/pet/profile', '/pets/pet/delete', '/pets/pet/actions/set-dob'];

  it.each(paths)('is shown as it is written on %s', async (path) => {
    const data = fakeData();
    data.pets.set([petRow('pet', text, { description: text })]);
    data.entries.set([entryRow('one', 1, { text })]);
    openApp({ path, data });
    const shown = await screen.findAllByText(text, { collapseWhitespace: false });
    expect(shown.filter((element) => element.closest('[dir=auto], bdi') === null)).toEqual([]);
    expect(document.querySelector('script, img[src=x]')).toBeNull();
  });
});

describe('a description', () => {
  it.each(Object.values(oddTexts))('can be %j', async (description) => {
    const updatePet = vi.fn<Commands['updatePet']>(async () => undefined);
    const app = open('/pets/pet/actions/edit-details', { updatePet });
    await put(app, 'Description', description);
    await save(app);
    await waitFor(() => expect(updatePet.mock.calls).toEqual([['pet', { description }, opened]]));
  });
});

describe.each(['edit-details', 'set-dob'])('a date of birth that is no date, on %s', (page) => {
  it('is refused with a sentence, and does not clear the date', async () => {
    const updatePet = vi.fn<Commands['updatePet']>(async () => undefined);
    const data = fakeData({ updatePet });
    data.pets.set([petRow('pet', 'Bramble', { dob: '2020-06-30' })]);
    const app = openApp({ path: `/pets/pet/actions/${page}`, data });
    const box = await screen.findByLabelText<HTMLInputElement>('Date of Birth');
    await app.user.clear(box);
    // jsdom has no parts of a date that are typed one by one.
    vi.spyOn(box.validity, 'badInput', 'get').mockReturnValue(true);
    await save(app);
    const message = screen.getByText('Date of birth must be a day of the calendar');
    expect(message.id).toBe(box.getAttribute('aria-describedby'));
    expect(document.activeElement).toBe(box);
    expect(updatePet).not.toHaveBeenCalled();
  });
});

describe('a date of birth among the details', () => {
  it.each([
    ['2999-01-01', 'Date of birth cannot be in the future'],
    ['0001-01-01', 'Date of birth cannot be before the year 1900'],
  ])('is never %s', async (date, message) => {
    const app = open('/pets/pet/actions/edit-details');
    const box = await screen.findByLabelText<HTMLInputElement>('Date of Birth');
    await app.user.type(box, date);
    await save(app);
    expect(screen.getByText(message).id).toBe(box.getAttribute('aria-describedby'));
    expect(box.value).toBe(date);
  });
});

describe('back and forward in the middle of a form', () => {
  async function leaveAndReturn(app: OpenedApp): Promise<void> {
    act(() => app.history.back());
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    act(() => app.history.forward());
  }

  async function begin(path: string, commands: Partial<Commands> = {}): Promise<OpenedApp> {
    const app = open('/pets', commands);
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    act(() => app.goTo(path));
    return app;
  }

  it.each([
    ['/pets/new', 'Pet Name', 'Bramb'],
    ['/pets/pet/actions/set-breed', 'Search breeds', 'weim'],
    ['/pets/pet/actions/set-dob', 'Date of Birth', '2021-03-04'],
    ['/pets/pet/actions/edit-details', 'Pet Name', 'Brambl'],
    ['/pets/pet/actions/edit-details', 'Date of Birth', '2021-03-04'],
    ['/pets/pet/actions/edit-details', 'Description', 'Likes wat'],
    ['/pets/pet/actions/add-note', 'Note', 'half a thought'],
    ['/pets/pet/profile', 'Write a note', 'half a thought'],
  ])('%s keeps the text typed into %s', async (path, label, text) => {
    const app = await begin(path);
    const box = await screen.findByLabelText(label);
    await app.user.clear(box);
    await app.user.type(box, text);
    await leaveAndReturn(app);
    expect((await screen.findByLabelText<HTMLInputElement>(label)).value).toBe(text);
  });

  it('keeps the choice, and a new visit starts anew', async () => {
    const app = await begin('/pets/pet/actions/set-breed');
    await app.user.click(await screen.findByRole('radio', { name: 'Vizsla' }));
    await leaveAndReturn(app);
    const chosen = await screen.findByRole<HTMLInputElement>('radio', { name: 'Vizsla' });
    expect(chosen.checked).toBe(true);
    act(() => app.goTo('/pets/other/actions/set-breed'));
    await screen.findByText('Otter');
    const other = await screen.findByRole<HTMLInputElement>('radio', { name: 'Vizsla' });
    expect(other.checked).toBe(false);
  });

  it('writes only the changes since the form was first opened', async () => {
    const updatePet = vi.fn<Commands['updatePet']>(async () => undefined);
    const app = await begin('/pets/pet/actions/edit-details', { updatePet });
    await put(app, 'Description', 'Likes water');
    act(() => app.data.pets.set([petRow('pet', 'Bracken')]));
    await leaveAndReturn(app);
    await screen.findByLabelText('Description');
    await save(app);
    await waitFor(() => expect(updatePet).toHaveBeenCalled());
    expect(updatePet.mock.calls).toEqual([['pet', { description: 'Likes water' }, opened]]);
  });

  it('does not restore values that are being saved, and does not navigate', async () => {
    const saved = deferred<string>();
    const createPet = vi.fn<Commands['createPet']>(() => saved.promise);
    const app = await begin('/pets/new', { createPet });
    await put(app, 'Pet Name', 'Bracken');
    await save(app);
    await leaveAndReturn(app);
    expect((await screen.findByLabelText<HTMLInputElement>('Pet Name')).value).toBe('');
    act(() => app.history.back());
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    await act(async () => saved.resolve('new'));
    expect(app.path()).toBe('/pets');
    expect(createPet).toHaveBeenCalledTimes(1);
  });

  it('restores values that could not be saved', async () => {
    const saved = deferred<string>();
    const app = await begin('/pets/new', { createPet: () => saved.promise });
    await put(app, 'Pet Name', 'Bracken');
    await save(app);
    act(() => app.history.back());
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    await act(async () => saved.reject(new CommandError('storage', 'Full.')));
    act(() => app.history.forward());
    expect((await screen.findByLabelText<HTMLInputElement>('Pet Name')).value).toBe('Bracken');
  });
});

describe('two quick taps', () => {
  it('make one dog', async () => {
    const made = deferred<string>();
    const createPet = vi.fn<Commands['createPet']>(() => made.promise);
    const app = open('/pets/new', { createPet });
    await put(app, 'Pet Name', 'Bracken');
    await app.user.dblClick(screen.getByRole('button', { name: 'Save' }));
    await app.user.type(screen.getByLabelText('Pet Name'), '{Enter}{Enter}');
    expect(createPet).toHaveBeenCalledTimes(1);
  });

  it('set one date of birth', async () => {
    const saved = deferred<undefined>();
    const updatePet = vi.fn<Commands['updatePet']>(() => saved.promise);
    const app = open('/pets/pet/actions/set-dob', { updatePet });
    await screen.findByLabelText('Date of Birth');
    await app.user.dblClick(screen.getByRole('button', { name: 'Save' }));
    expect(updatePet).toHaveBeenCalledTimes(1);
  });
});
