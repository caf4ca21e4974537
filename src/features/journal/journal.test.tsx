import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Entry } from '../../../schemas/documents/document.ts';
import {
  deferred,
  entryRow,
  fakeData,
  petRow,
  type FakeData,
} from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { syncActivityAtom, type SyncActivity } from '../../platform/auth/session.ts';
import { CommandError, type NewNote } from '../../data/commands/commands.ts';
import { readDrafts, writeDraft } from '../../lib/draft.ts';

const path = '/pets/pet/profile';

function dataWith(entries: readonly Entry[], addNote?: (note: NewNote) => Promise<string>) {
  const data = fakeData({ addNote: (note) => addNote?.(note) ?? Promise.resolve('new') });
  data.pets.set([petRow('pet', 'Bramble', { breed: 'Vizsla', dob: '2020-01-01' })]);
  data.entries.set(entries);
  return data;
}

async function openJournal(data: FakeData) {
  const app = openApp({ path, data });
  const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Write a note' });
  return { ...app, box };
}

function bubbles(): HTMLElement[] {
  return within(screen.getByRole('list', { name: 'Journal' })).getAllByRole('listitem');
}

const hour = 3_600_000;

afterEach(() => vi.unstubAllGlobals());

describe('the journal', () => {
  it('reads from the oldest to the newest, each day under its heading', async () => {
    const now = Date.now();
    await openJournal(
      dataWith([
        entryRow('newest', now),
        entryRow('oldest', now - 400 * 24 * hour),
        entryRow('older', now - 399 * 24 * hour),
      ]),
    );
    expect(bubbles().map((bubble) => within(bubble).getByRole('link').textContent)).toEqual([
      'oldest',
      'older',
      'newest',
    ]);
    expect(within(bubbles()[2] ?? document.body).getByText('Today')).toBeDefined();
  });

  it.each([
    ['its own link, not a link in its text', { text: 'Bill: https://vet.example/1' }],
    ['itself while its bubble is still loading', { type: 'voice-note', text: 'went away' }],
  ])('gives a found entry the focus, at %s', async (_, fields) => {
    const found = entryRow('found', 2, fields);
    const data = dataWith([entryRow('newer', 3), found, entryRow('older', 1)]);
    openApp({ path: `${path}?at=${found.feedKey}`, data });
    await screen.findByRole('list', { name: 'Journal' });
    const focused = await waitFor(() => {
      const { activeElement } = document;
      expect(activeElement?.closest('.entry-found')).not.toBeNull();
      return activeElement;
    });
    expect(['/pets/pet/notes/found', null]).toContain(focused?.getAttribute('href') ?? null);
  });

  it('puts a page of entries in over some frames, a window full of the newest first, and keeps room for the rest', async () => {
    vi.stubGlobal('innerHeight', 1_400);
    const frames: FrameRequestCallback[] = [];
    vi.stubGlobal('requestAnimationFrame', (run: FrameRequestCallback) => frames.push(run));
    const entries = Array.from({ length: 50 }, (_, index) => entryRow(`note ${index}`, 50 - index));
    await openJournal(dataWith(entries));
    const texts = () => bubbles().map((each) => within(each).getByRole('link').textContent);
    const room = () => bubbles()[0]?.parentElement?.style.minHeight;
    expect(texts()).toEqual(Array.from({ length: 17 }, (_, index) => `note ${16 - index}`));
    expect(room()).toBe('4300px');
    for (let frame = 0; frame < 3; frame++) act(() => frames.splice(0).forEach((run) => run(0)));
    expect(texts()).toEqual(Array.from({ length: 50 }, (_, index) => `note ${49 - index}`));
    expect(room()).toBe('');
  });

  it.each([
    [{ pending: 0 }, 'In the cloud'],
    [{ pending: 1 }, 'On this device'],
    [{ pending: 2, code: 'too-large' }, 'Needs attention'],
  ] as const)('says of an entry with %o that it is %s', async (part, text) => {
    await openJournal(dataWith([entryRow('one', Date.now(), part)]));
    expect(within(bubbles()[0] ?? document.body).getByText(text)).toBeDefined();
  });

  it('marks entries that are not in the cloud, and no others', async () => {
    const nowMs = Date.now();
    const waiting = entryRow('two', nowMs, { pending: 1 });
    await openJournal(dataWith([entryRow('one', nowMs - 1, { pending: 0 }), waiting]));
    const [older, newer] = bubbles();
    const pictures = (bubble: HTMLElement | undefined) => bubble?.querySelectorAll('svg').length;
    expect([pictures(older), pictures(newer)]).toEqual([0, 1]);
    expect(older?.textContent).toContain('In the cloud');
  });

  it('marks unsent entries as uploading during a sync', async () => {
    openApp({
      path,
      data: dataWith([entryRow('one', Date.now(), { pending: 1 })]),
      activity: { phase: 'syncing', problem: null },
    });
    expect(await screen.findByText('Uploading')).toBeDefined();
  });

  it('shows a voice note plainly', async () => {
    await openJournal(
      dataWith([
        entryRow('said', 2, { type: 'voice-note', durationMs: 17_400, text: 'Marked a cock bird' }),
        entryRow('mute', 1, { type: 'voice-note', text: '' }),
      ]),
    );
    const [mute, said] = bubbles();
    expect(mute?.textContent).toContain('AI Generation In Progress');
    await waitFor(() => {
      expect(screen.getAllByRole('group', { name: 'Voice note' })).toHaveLength(2);
    });
    expect(said?.textContent).toContain('0:17');
    expect(said?.textContent).toContain('Marked a cock bird');
  });

  it.each([{ code: 'newer-schema' }, { type: 'hologram' }])(
    'leaves an entry with %o alone',
    async (part) => {
      await openJournal(dataWith([entryRow('one', 1, { text: 'unreadable', ...part })]));
      const [bubble] = bubbles();
      expect(bubble?.textContent).toContain('Written by a newer version of PawPals');
      expect(bubble?.textContent).not.toContain('unreadable');
      expect(within(bubble ?? document.body).queryByRole('link')).toBeNull();
    },
  );

  it('leads by keyboard past its entries to the box', async () => {
    const { user, box } = await openJournal(dataWith([entryRow('one', 1)]));
    const link = await screen.findByRole('link', { name: 'Write a note' });
    const list = screen.getByRole('list', { name: 'Journal' });
    expect(link.compareDocumentPosition(list)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    act(() => link.focus());
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(box);
  });

  it('congratulates on an empty one, and leads to the box', async () => {
    const { user, box } = await openJournal(dataWith([]));
    expect(screen.getByText(/Congratulations/)).toBeDefined();
    await user.click(screen.getByRole('link', { name: 'Get started' }));
    expect(document.activeElement).toBe(box);
  });

  it('does not call a journal empty that was never fetched', async () => {
    const data = dataWith([]);
    data.fetchedOnce.set(false);
    await openJournal(data);
    expect(screen.queryByText(/Congratulations/)).toBeNull();
    expect(screen.getByText('Fetching the journal…')).toBeDefined();
    act(() => data.fetchedOnce.set(true));
    expect(screen.getByText(/Congratulations/)).toBeDefined();
  });

  it('asks for a connection only if a missing one is the problem', async () => {
    const data = dataWith([]);
    data.fetchedOnce.set(false);
    const { store } = await openJournal(data);
    const tell = (phase: SyncActivity['phase'], problem: string | null): void =>
      act(() => store.set(syncActivityAtom, { phase, problem }));
    tell('problem', 'account-refused');
    expect(screen.getAllByText(/The server refuses this account/)).toHaveLength(2);
    tell('problem', 'unavailable');
    expect(screen.getByText('Not fetched yet, needs a connection')).toBeDefined();
    tell('starting', null);
    expect(screen.getByText('Fetching the journal…')).toBeDefined();
  });

  it('does not take a dog that is not here for a dog without a journal', async () => {
    const data = fakeData();
    data.fetchedOnce.set(false);
    openApp({ path, data, activity: { phase: 'offline', problem: null } });
    expect(await screen.findByText('Not fetched yet, needs a connection')).toBeDefined();
    act(() => data.fetchedOnce.set(true));
    expect(screen.getByText('This dog is not on this device')).toBeDefined();
  });

  it('shows a draft whose dog was deleted on another device, until it is discarded', async () => {
    const data = fakeData();
    data.pets.set([petRow('pet', 'Bramble')]);
    const { user } = openApp({ path, data });
    await user.type(await screen.findByRole('textbox', { name: 'Write a note' }), 'half a thou');
    writeDraft({ owner: data.uid, name: 'pet.add-note' }, 'another');
    act(() => {
      data.deletedPetIds.set(['pet']);
      data.pets.set([]);
    });
    const heading = await screen.findByRole('heading', { name: 'This dog was deleted' });
    expect(document.activeElement).toBe(heading);
    expect(screen.getByText('half a thou')).toBeDefined();
    expect(screen.getByText('another')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await user.click(screen.getByRole('button', { name: 'Really discard' }));
    expect(screen.queryByText('half a thou')).toBeNull();
    expect(readDrafts(data.uid)).toEqual([]);
  });
});

describe('coming back to the journal', () => {
  const scroller = (): HTMLElement => {
    const found = screen.getByRole('list', { name: 'Journal' }).parentElement?.parentElement;
    if (!found) throw new Error('Nothing scrolls');
    return found;
  };

  it('leads to where one was reading, and a new visit to the newest entry', async () => {
    const { user, history, goTo } = await openJournal(
      dataWith([entryRow('newer', 2), entryRow('older', 1)]),
    );
    scroller().scrollTop = -700;
    fireEvent.scroll(scroller());
    await user.click(screen.getByRole('link', { name: 'older' }));
    await screen.findByRole('button', { name: 'Delete' });
    act(() => history.back());
    await screen.findByRole('textbox', { name: 'Write a note' });
    expect(scroller().scrollTop).toBe(-700);
    act(() => goTo('/pets'));
    await user.click(await screen.findByRole('link', { name: /Bramble/ }));
    await screen.findByRole('textbox', { name: 'Write a note' });
    expect(scroller().scrollTop).toBe(0);
  });

  it('leaves one journal where it is when another is opened beside it', async () => {
    const { data, history, goTo, box } = await openJournal(dataWith([entryRow('one', 1)]));
    act(() => data.pets.set([...data.pets.getSnapshot(), petRow('other', 'Moss')]));
    act(() => data.entries.set([entryRow('one', 1), entryRow('two', 2, { petId: 'other' })]));
    scroller().scrollTop = -700;
    fireEvent.scroll(scroller());
    act(() => goTo('/pets/other/profile'));
    await screen.findByRole('link', { name: 'two' });
    expect(box.isConnected).toBe(false);
    expect(scroller().scrollTop).toBe(0);
    act(() => history.back());
    await screen.findByRole('link', { name: 'one' });
    await waitFor(() => expect(scroller().scrollTop).toBe(-700));
  });

  it('leads from a date to the newest entry, and to the places of both history entries', async () => {
    const entries = Array.from({ length: 9 }, (_, index) => entryRow(`note ${index}`, index + 1));
    const { user, history, goTo, path: current } = await openJournal(dataWith(entries));
    const moveTo = (top: number): void => {
      scroller().scrollTop = top;
      fireEvent.scroll(scroller());
    };
    moveTo(-700);
    act(() => goTo(`${path}?at=${entries[2]?.feedKey}`));
    await waitFor(() => expect(document.querySelector('.entry-found')).not.toBeNull());
    expect(scroller().scrollTop).toBe(0);
    moveTo(-2_000);
    const list = scroller();
    Object.assign(list, { scrollTo: () => moveTo(0) });
    await user.click(screen.getByRole('button', { name: 'To the newest entry' }));
    await waitFor(() => expect(current()).toBe(path));
    expect(scroller()).toBe(list);
    expect(list.scrollTop).toBe(0);

    moveTo(-30);
    await user.click(screen.getByRole('link', { name: 'note 1' }));
    await screen.findByRole('button', { name: 'Delete' });
    act(() => history.back());
    await screen.findByRole('textbox', { name: 'Write a note' });
    expect([current(), scroller().scrollTop]).toEqual([path, -30]);
    act(() => history.back());
    await waitFor(() => expect(scroller().scrollTop).toBe(-700));
  });

  it('shows the changes since', async () => {
    const { user, history, data } = await openJournal(
      dataWith([entryRow('newer', 2), entryRow('older', 1)]),
    );
    await user.click(screen.getByRole('link', { name: 'older' }));
    await screen.findByRole('button', { name: 'Delete' });
    act(() => data.entries.set([entryRow('newest', 3), entryRow('older', 1)]));
    act(() => history.back());
    await screen.findByRole('textbox', { name: 'Write a note' });
    expect(bubbles().map((bubble) => within(bubble).getByRole('link').textContent)).toEqual([
      'older',
      'newest',
    ]);
  });
});

describe('the composer', () => {
  it('sends with Enter, and breaks the line with Shift and Enter', async () => {
    const sent: string[] = [];
    const { user, box } = await openJournal(
      dataWith([], ({ text }) => {
        sent.push(text);
        return Promise.resolve('new');
      }),
    );
    await user.type(box, 'one{Shift>}{Enter}{/Shift}two{Enter}');
    expect(sent).toEqual(['one\ntwo']);
    expect(box.value).toBe('');
  });

  it.each([{ isComposing: true }, { keyCode: 229 }])(
    'leaves Enter to the input method with %o',
    async (init) => {
      const { user, box } = await openJournal(dataWith([]));
      await user.type(box, 'ka');
      fireEvent.keyDown(box, { key: 'Enter', ...init });
      expect(box.value).toBe('ka');
    },
  );

  it('sends with its button, which sends nothing empty', async () => {
    const { user, box } = await openJournal(dataWith([]));
    await user.type(box, '   ');
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Record' })).toBeDefined();
    await user.type(box, 'hello');
    expect(screen.queryByRole('button', { name: 'Record' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(bubbles()[0]?.textContent).toContain('hello');
    expect(document.activeElement).toBe(box);
  });

  it('shows a note before it is stored, and once when it is', async () => {
    const stored = deferred<string>();
    const ids: string[] = [];
    const data = dataWith([], ({ id = '' }) => {
      ids.push(id);
      return stored.promise;
    });
    const { user, box } = await openJournal(data);
    await user.type(box, 'hello{Enter}');
    expect(bubbles()[0]?.textContent).toContain('Saving');

    act(() =>
      data.entries.set([entryRow(ids[0] ?? '', Date.now(), { text: 'hello', pending: 1 })]),
    );
    expect(screen.getAllByText('hello')).toHaveLength(1);
    expect(bubbles()[0]?.textContent).toContain('On this device');
    await act(async () => {
      stored.resolve('new');
      await stored.promise;
    });
    expect(screen.getAllByText('hello')).toHaveLength(1);
  });

  it('stores a note that a reload cut off, without bringing it back to the box', async () => {
    const notes: NewNote[] = [];
    const loaded = () =>
      dataWith([], (note) => {
        notes.push(note);
        return new Promise(() => undefined);
      });
    const { user, box } = await openJournal(loaded());
    await user.type(box, 'hello{Enter}');
    cleanup();
    const reopened = await openJournal(loaded());
    expect(reopened.box.value).toBe('');
    expect(bubbles()[0]?.textContent).toContain('hello');
    expect(notes).toHaveLength(2);
    expect(notes[1]).toEqual(notes[0]);
  });

  it('shows a note that is being stored again after a step away and back, and stores it once', async () => {
    const notes: NewNote[] = [];
    const data = dataWith([], (note) => {
      notes.push(note);
      return new Promise(() => undefined);
    });
    const { user, box } = await openJournal(data);
    await user.type(box, 'hello{Enter}');
    cleanup();
    const reopened = await openJournal(data);
    expect(reopened.box.value).toBe('');
    expect(bubbles()[0]?.textContent).toContain('hello');
    expect(notes).toHaveLength(1);
  });

  it('gives the text back with a sentence when it could not be stored', async () => {
    const full = new CommandError('storage', 'This device is full.');
    const { user, box } = await openJournal(dataWith([], () => Promise.reject(full)));
    await user.type(box, 'hello{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('This device is full.');
    expect(box.value).toBe('hello');
  });
});
