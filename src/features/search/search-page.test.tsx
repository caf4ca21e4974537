import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { searchMaxLength } from '../../../schemas/limits.ts';
import { feedKey } from '../../../schemas/documents/feed-key.ts';
import { cell } from '../../../tests/support/fakes/cell.ts';
import { fakeData, petRow, type FakeData } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import type {
  JournalSearch,
  SearchAnswer,
  SearchHit,
  SearchState,
} from '../../data/queries/search.ts';
import { excerptOf } from './search-words.ts';

const read: SearchState = { readPart: 1, isBroken: false };

const hit: SearchHit = {
  id: 'one',
  petId: 'pet',
  feedKey: feedKey(Date.now(), 'one'),
  type: 'note',
  text: 'A pheasant in the hedge',
};

function dataWith(find: JournalSearch['find'], state = read) {
  const stateCell = cell(state);
  const data: FakeData = {
    ...fakeData(),
    search: async () => ({ state: stateCell, find }),
  };
  data.pets.set([petRow('pet', 'Bramble'), petRow('other', 'Moss')]);
  return { data, stateCell };
}

const found = (hits: readonly SearchHit[], count = hits.length) =>
  vi.fn<JournalSearch['find']>(async ({ words }) =>
    words.startsWith('ph')
      ? { hits, count, words: ['PHEASANT'] }
      : { hits: [], count: 0, words: [] },
  );

/** A search whose questions the test answers, in any order. */
function dataToAnswer(state: SearchState) {
  const asked: ((answer: SearchAnswer) => void)[] = [];
  const find = () => new Promise<SearchAnswer>((resolve) => void asked.push(resolve));
  return { ...dataWith(find, state), asked };
}

const box = () => screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search the journal' });

describe('the search', () => {
  it('leads from a word to its entry in the journal, and is in the address', async () => {
    const { data } = dataWith(found([hit]));
    const { user, path } = openApp({ path: '/pets', data });
    await user.click(await screen.findByRole('link', { name: 'Search' }));
    await user.type(await box(), 'pheas');
    const entries = within(await screen.findByRole('list', { name: 'Entries' }));
    const link = entries.getByRole('link');
    expect(link.getAttribute('href')).toContain(`/pets/pet/profile?at=${hit.feedKey}`);
    expect(link.textContent).toContain('Bramble');
    expect(link.querySelector('mark')?.textContent).toBe('pheasant');
    expect(await screen.findByText('1 entry')).toBeDefined();
    await user.tab();
    await waitFor(() => expect(path()).toBe('/search?q=pheas'));
  });

  it.each(['true', '1e3', '007', '"quoted"', '[1]', '12345678901234567890'])(
    'takes the text %s from the address as it is',
    async (text) => {
      openApp({ path: `/search?q=${encodeURIComponent(text)}`, data: dataWith(found([])).data });
      expect((await box()).value).toBe(text);
    },
  );

  it('says of an entry without a date that it has none', async () => {
    const { data } = dataWith(found([{ ...hit, feedKey: feedKey(0, 'one') }]));
    openApp({ path: '/search?q=pheasant', data });
    const entries = within(await screen.findByRole('list', { name: 'Entries' }));
    const link = entries.getByRole('link');
    expect(link.textContent).toContain('No date');
    expect(link.querySelector('time')).toBeNull();
  });

  it.each([
    ['none', 'No speech detected'],
    ['waiting', 'AI Generation In Progress'],
  ])('says of a recording without a text (%s) what the journal says', async (transcript, words) => {
    const recording = { ...hit, type: 'voice-note', text: '', transcript };
    openApp({ path: '/search?q=ph', data: dataWith(found([recording])).data });
    const entries = within(await screen.findByRole('list', { name: 'Entries' }));
    expect(entries.getByText(words)).toBeDefined();
  });

  it('says where a note of a deleted dog can be moved, once it is known which dogs there are', async () => {
    const { data } = dataWith(found([{ ...hit, petId: 'gone' }]));
    data.fetchedOnce.set(false);
    openApp({ path: '/search?q=pheasant', data });
    const entries = within(await screen.findByRole('list', { name: 'Entries' }));
    const link = entries.getByRole('link');
    expect(link.textContent).not.toContain('Deleted dog');
    act(() => data.fetchedOnce.set(true));
    expect(link.textContent).toContain('Deleted dog: see the Sync details');
    act(() => data.pets.set([petRow('gone', 'Bracken')]));
    expect(link.textContent).toContain('Bracken');
    expect(link.textContent).not.toContain('Deleted dog');
  });

  it('follows a hit at once, also while its page still loads when the words are due in the address', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { data } = dataWith(found([hit]));
    const { user, path, router } = openApp({ path: '/search', data });
    const { options } = router.routesById['/_app/pets/$petId/profile'];
    let load = (): void => undefined;
    const loaded = new Promise<void>((resolve) => {
      load = resolve;
    });
    options.loader = () => loaded;
    onTestFinished(() => {
      delete options.loader;
      vi.useRealTimers();
    });
    await user.type(await box(), 'pheas');
    const entries = within(await screen.findByRole('list', { name: 'Entries' }));
    await user.click(entries.getByRole('link'));
    // By then the words would be in the address.
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    load();
    await waitFor(() => expect(path()).toContain('/pets/pet/profile'));
  });

  it('opens with the dog of the page, and applies the chosen filters', async () => {
    const find = found([hit]);
    const { data } = dataWith(find);
    const { user } = openApp({ path: '/pets/pet/profile', data });
    await user.click(await screen.findByRole('link', { name: 'Search' }));
    await user.type(await box(), 'ph');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Voice notes');
    await waitFor(() =>
      expect(find).toHaveBeenLastCalledWith(
        expect.objectContaining({ words: 'ph', petId: 'pet', type: 'voice-note' }),
      ),
    );
    await user.selectOptions(screen.getByRole('combobox', { name: 'Dog' }), 'All dogs');
    await waitFor(() => expect(find.mock.lastCall?.[0].petId).toBeNull());
  });

  it('searches everything if the address names a dog that is gone, or a kind that there is not', async () => {
    const find = found([hit]);
    const { data } = dataWith(find);
    openApp({ path: '/search?q=ph&pet=gone&kind=picture-note', data });
    expect(await screen.findByText('1 entry')).toBeDefined();
    expect(find.mock.lastCall?.[0]).toMatchObject({ petId: null, type: null });
    const [dog, kind] = screen.getAllByRole<HTMLSelectElement>('combobox');
    expect([dog?.value, kind?.value]).toEqual(['', '']);
  });

  it('takes digits from the address as words', async () => {
    openApp({ path: '/search?q=2024', data: dataWith(found([])).data });
    expect((await box()).value).toBe('2024');
  });

  it('names dogs, and says when nothing was found', async () => {
    const { data } = dataWith(found([]));
    const { user } = openApp({ path: '/search', data });
    await user.type(await box(), 'bram');
    const pets = within(await screen.findByRole('list', { name: 'Dogs' }));
    expect(pets.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/pets/pet/profile',
    ]);
    expect(await screen.findByText('No entry found')).toBeDefined();
  });

  it.each([
    ['w', 'Type two letters or more'],
    ['W', 'Type two letters or more'],
    ['犬', 'No entry found'],
    ['7', 'No entry found'],
    ['we', 'No entry found'],
  ])('says how to find something if "%s" finds nothing', async (words, sentence) => {
    openApp({ path: `/search?q=${words}`, data: dataWith(found([])).data });
    expect(await screen.findByText(sentence)).toBeDefined();
  });

  it('says that nothing was found for what is no word', async () => {
    openApp({ path: '/search?q="', data: dataWith(found([])).data });
    expect(await screen.findByText('No entry found')).toBeDefined();
    expect(screen.queryByText(/Find any word/u)).toBeNull();
    expect(screen.queryByRole('list', { name: 'Dogs' })).toBeNull();
  });

  it('offers all dogs when one has no such entry', async () => {
    const find = vi.fn<JournalSearch['find']>(async ({ petId }) =>
      petId === null
        ? { hits: [hit], count: 1, words: ['PHEASANT'] }
        : { hits: [], count: 0, words: [] },
    );
    const { user } = openApp({ path: '/search?q=ph&pet=other', data: dataWith(find).data });
    await user.click(await screen.findByRole('button', { name: 'Search all dogs' }));
    expect(await screen.findByText('1 entry')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Search all dogs' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Search' }));
  });

  it('shows more on request', async () => {
    const find = found([hit], 60);
    const { user } = openApp({ path: '/search?q=ph', data: dataWith(find).data });
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(find.mock.lastCall?.[0].limit).toBe(30));
  });

  it('is found again by a step back: as many hits, scrolled as far, and no keyboard over them', async () => {
    const find = found([hit], 60);
    const { user, router, path } = openApp({ path: '/search', data: dataWith(find).data });
    await user.type(await box(), 'ph');
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    const scroller = () => screen.getByRole('main').querySelector('.overflow-y-auto');
    const left = scroller();
    if (left !== null) left.scrollTop = 400;
    const entries = within(await screen.findByRole('list', { name: 'Entries' }));
    await user.click(entries.getByRole('link'));
    await waitFor(() => expect(path()).toContain('/pets/pet/profile'));
    act(() => router.history.back());
    const again = await box();
    await waitFor(() => expect(scroller()?.scrollTop).toBe(400));
    expect(find.mock.lastCall?.[0]).toMatchObject({ words: 'ph', limit: 30 });
    expect(document.activeElement).not.toBe(again);
    // Other words begin at the first hits.
    await user.type(again, 'e');
    await waitFor(() => expect(find.mock.lastCall?.[0]).toMatchObject({ words: 'phe', limit: 15 }));
  });

  it('has the focus in its box on each new visit, also if the one before was left without words', async () => {
    const { user, router } = openApp({ path: '/pets', data: dataWith(found([hit])).data });
    for (let visit = 0; visit < 2; visit += 1) {
      await user.click(await screen.findByRole('link', { name: 'Search' }));
      expect(document.activeElement).toBe(await box());
      act(() => router.history.back());
      await screen.findByRole('heading', { name: 'My Dogs' });
    }
  });

  it('keeps the focus where the shown ones end when there are no more', async () => {
    const hits = [hit, { ...hit, id: 'two' }];
    const find = vi.fn<JournalSearch['find']>(async ({ limit }) => ({
      hits: hits.slice(0, limit > 15 ? 2 : 1),
      count: 2,
      words: ['PHEASANT'],
    }));
    const { user } = openApp({ path: '/search?q=ph', data: dataWith(find).data });
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    const entries = within(screen.getByRole('list', { name: 'Entries' }));
    await waitFor(() => expect(entries.getAllByRole('link')).toHaveLength(2));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
    expect(document.activeElement).toBe(entries.getAllByRole('link')[0]);
  });

  it('asks again when more has been read, and says how far it is', async () => {
    const find = found([hit]);
    const { data, stateCell } = dataWith(find, { readPart: 0.4, isBroken: false });
    openApp({ path: '/search?q=ph', data });
    expect(await screen.findByText('1 entry so far. Reading your journal: 40 %')).toBeDefined();
    const before = find.mock.calls.length;
    act(() => stateCell.set({ readPart: 1, isBroken: false }));
    await waitFor(() => expect(find.mock.calls.length).toBe(before + 1));
    expect(await screen.findByText('1 entry')).toBeDefined();
  });

  it('shows what is found while the journal is read, although each answer comes after the next part', async () => {
    const { data, stateCell, asked } = dataToAnswer({ ...read, readPart: 0.1 });
    openApp({ path: '/search?q=ph', data });
    await waitFor(() => expect(asked.length).toBeGreaterThan(0));
    for (const [index, part] of [0.2, 0.3].entries()) {
      const { length } = asked;
      act(() => stateCell.set({ ...read, readPart: part }));
      await waitFor(() => expect(asked).toHaveLength(length + 1));
      const count = (index + 1) * 500;
      asked.at(-2)?.({ hits: [hit], count, words: [] });
      expect(await screen.findByText(new RegExp(`^${count} entries so far`, 'u'))).toBeDefined();
    }
  });

  it('says nothing of the first letter after an empty box before it is answered', async () => {
    const { data, asked } = dataToAnswer(read);
    const { user } = openApp({ path: '/search', data });
    await waitFor(() => expect(asked.length).toBeGreaterThan(0));
    await act(async () => asked.at(-1)?.({ hits: [], count: 0, words: [] }));
    const { length } = asked;
    await user.type(await box(), 'p');
    await waitFor(() => expect(asked).toHaveLength(length + 1));
    expect(screen.queryByText('Type two letters or more')).toBeNull();
    await act(async () => asked.at(-1)?.({ hits: [], count: 0, words: [] }));
    expect(screen.getByText('Type two letters or more')).toBeDefined();
  });

  it('does not show an answer after that to a later question', async () => {
    const { data, stateCell, asked } = dataToAnswer(read);
    openApp({ path: '/search?q=ph', data });
    await waitFor(() => expect(asked.length).toBeGreaterThan(0));
    const { length } = asked;
    act(() => stateCell.set({ ...read }));
    await waitFor(() => expect(asked).toHaveLength(length + 1));
    asked.at(-1)?.({ hits: [hit], count: 2, words: [] });
    expect(await screen.findByText('2 entries')).toBeDefined();
    await act(async () => asked.at(-2)?.({ hits: [], count: 0, words: [] }));
    expect(screen.getByText('2 entries')).toBeDefined();
  });

  it('gives no final answer before the one that was asked at the end of the reading', async () => {
    const { data, stateCell, asked } = dataToAnswer({ ...read, readPart: 0.9 });
    openApp({ path: '/search?q=ph', data });
    await waitFor(() => expect(asked.length).toBeGreaterThan(0));
    asked.at(-1)?.({ hits: [], count: 0, words: [] });
    const soFar = await screen.findByText(/^No entry found so far/u);
    const { length } = asked;
    act(() => stateCell.set({ ...read }));
    await waitFor(() => expect(asked).toHaveLength(length + 1));
    expect(soFar.textContent).toContain('so far');
    // A screen reader announces the end, but not each percent before.
    expect(soFar.getAttribute('aria-live')).toBe('off');
    asked.at(-1)?.({ hits: [hit], count: 1, words: [] });
    const final = await screen.findByText('1 entry');
    expect(final.getAttribute('aria-live')).toBe('polite');
  });

  it('says nothing of one letter that was not found while the journal is read', async () => {
    const { data, asked } = dataToAnswer({ ...read, readPart: 0.4 });
    openApp({ path: '/search?q=p', data });
    await waitFor(() => expect(asked.length).toBeGreaterThan(0));
    await act(async () => asked.at(-1)?.({ hits: [], count: 0, words: [] }));
    expect(screen.getByText('Reading your journal: 40 %')).toBeDefined();
  });

  it('says that not all is here before the first sync is complete', async () => {
    const { data } = dataWith(found([]));
    data.fetchedOnce.set(false);
    openApp({ path: '/search', data });
    expect(await screen.findByText(/Not all of your journal is on this device yet/u)).toBeDefined();
  });

  it('says so when a question could not be answered, until one is', async () => {
    let isBroken = true;
    const { data } = dataWith(async (query) => {
      if (isBroken) throw new Error('out of memory');
      return found([hit])({ ...query, words: 'ph' });
    });
    const { user } = openApp({ path: '/search?q=ph', data });
    await screen.findByRole('alert');
    isBroken = false;
    await user.type(await box(), 'e');
    await screen.findByText('1 entry');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('takes a text of a limited length', async () => {
    const { data } = dataWith(found([]));
    openApp({ path: '/search', data });
    expect(await box()).toHaveProperty('maxLength', searchMaxLength);
  });

  it('says so when it is broken, and takes nothing from the page', async () => {
    const data = {
      ...dataWith(found([])).data,
      search: () => Promise.reject(new Error('no code')),
    };
    openApp({ path: '/search', data });
    expect((await screen.findByRole('alert')).textContent).toContain('Your journal is as it was');
    // An installed app has no control of the browser that reloads.
    expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined();
    expect(await box()).toBeDefined();
  });
});

it('an excerpt does not begin within a character', () => {
  const [lead] = excerptOf(`${'🐕'.repeat(40)},pheasant`, new Set(['PHEASANT']));
  expect(lead?.text).toBe(`… ${'🐕'.repeat(29)},`);
});

it('an excerpt has no blank lines', () => {
  const [, , tail] = excerptOf('on the marsh.\n\n  Then home', new Set(['MARSH']));
  expect(tail?.text).toBe('.\nThen home');
});

it('an excerpt begins shortly before the first word that was found, between words', () => {
  const text = `${'a long way before it '.repeat(10)}pheasant and on`;
  const parts = excerptOf(text, new Set(['PHEASANT'])).map((part) => part.text);
  expect(parts[0]).toMatch(/^… \w/u);
  expect(parts[0]?.length).toBeLessThan(65);
  expect(parts.slice(1)).toEqual(['pheasant', ' and on']);
  expect(excerptOf('a pheasant', new Set(['PHEASANT'])).map((part) => part.text)).toEqual([
    'a ',
    'pheasant',
  ]);
});
