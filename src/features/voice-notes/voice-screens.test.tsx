import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { TranscribeAnswer } from '../../../schemas/transcription.ts';
import { createFakeClock } from '../../../tests/support/fakes/fake-clock.ts';
import { deferred, fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { fakeMicrophone } from '../../../tests/support/fakes/fake-sound.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { CommandError, type Commands } from '../../data/commands/commands.ts';
import type { VoiceFiles } from '../../data/files/voice-files.ts';
import { authStateAtom } from '../../platform/auth/session.ts';
import { toastsAtom } from '../../platform/toasts.ts';
import { MicrophoneError, openMicrophoneAtom } from '../../platform/media/microphone.ts';
import { nextTask } from '../../lib/async/next-task.ts';
import { clockAtom } from '../../platform/system-clock.ts';

const profile = '/pets/pet/profile';
const recordPath = '/pets/pet/actions/add-voice-note';

interface Own {
  readonly path: string;
  readonly commands?: Partial<Commands>;
  readonly voice?: Partial<VoiceFiles>;
}

function open({ path, commands = {}, voice = {} }: Own) {
  const stored: string[] = [];
  const data = fakeData(commands, {
    voice: {
      begin: async () => ({
        id: 'one',
        append: async (bytes) => void stored.push(new TextDecoder().decode(bytes)),
        finish: async () => true,
        discard: async () => undefined,
      }),
      discard: async () => void stored.push('discarded'),
      ...voice,
    },
  });
  data.pets.set([petRow('pet', 'Bramble')]);
  const clock = createFakeClock(Date.now());
  // On a busy machine a press would last long enough to count as holding.
  vi.spyOn(Event.prototype, 'timeStamp', 'get').mockImplementation(() => clock.now());
  const microphone = fakeMicrophone();
  const app = openApp({ path, data });
  act(() => {
    app.store.set(clockAtom, clock);
    app.store.set(openMicrophoneAtom, microphone);
  });
  const pass = (ms: number) => act(() => clock.advance(ms));
  return { ...app, stored, microphone, pass };
}

const button = (name: string) => screen.findByRole('button', { name });
const microphoneButton = () => screen.getByRole('button', { name: /^(Record|Stop)$/ });

describe('the page to record on', () => {
  it('starts and stops with a click each, shows the elapsed and the remaining time, keeps the note and leads away', async () => {
    const keep = vi.fn<VoiceFiles['keep']>(async () => undefined);
    const { user, stored, microphone, pass, path } = open({ path: recordPath, voice: { keep } });
    expect(await screen.findByRole('heading', { name: 'Record Voice Note' })).toBeDefined();
    await user.click(await button('Record'));
    await button('Stop');
    await pass(7_200);
    microphone.speak('woof');
    expect(screen.getByRole('timer', { name: 'Recorded' }).textContent).toBe('0:07');
    expect(screen.getByRole('img', { name: 'Level' })).toBeDefined();
    expect(screen.queryByText(/left$/)).toBeNull();
    await pass(18_800);
    expect(screen.getByText('4 seconds left')).toBeDefined();
    await user.click(await button('Stop'));
    await waitFor(() => expect(keep).toHaveBeenCalledWith('one'));
    expect(stored).toEqual(['woof']);
    await waitFor(() => expect(path()).toBe(profile));
  });

  it('leads back to the list of dogs, and says what it did there', async () => {
    const keep = async () => undefined;
    const app = open({ path: '/pets', voice: { keep } });
    const { user, store, microphone, pass, path } = app;
    act(() => app.history.push(recordPath, { stepsBack: 1 }));
    await user.click(await button('Record'));
    await button('Stop');
    await pass(7_200);
    microphone.speak('woof');
    await user.click(await button('Stop'));
    await waitFor(() => expect(path()).toBe('/pets'));
    await waitFor(() => expect(store.get(toastsAtom)).toHaveLength(1));
    expect(store.get(toastsAtom)[0]?.message).toBe('Voice note saved');
  });

  it('announces the transcript in an element that is there before, since a screen reader misses others', async () => {
    const kept = deferred<undefined>();
    const { user, pass } = open({ path: recordPath, voice: { keep: () => kept.promise } });
    await user.click(await button('Record'));
    await screen.findByText('0:00');
    await pass(2_000);
    const before = screen.getAllByRole('status');
    await user.click(await button('Stop'));
    expect(before).toContain(await screen.findByText(/^Transcribing/));
    await act(async () => kept.resolve(undefined));
  });

  it.each([recordPath, profile])('says that it records once it does, on %s', async (path) => {
    const { user, microphone, pass, store } = open({ path });
    const opening = deferred<undefined>();
    act(() => {
      store.set(openMicrophoneAtom, { open: () => opening.promise.then(() => microphone.open()) });
    });
    await user.click(await button('Record'));
    await screen.findByText('Starting…');
    const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(said()).not.toContain('Recording');
    await act(async () => opening.resolve(undefined));
    await pass(1_000);
    expect(said()).toContain('Recording');
  });

  it.each([recordPath, profile])('cancels with Escape and with its button on %s', async (path) => {
    const { user, stored, pass } = open({ path });
    await user.click(await button('Record'));
    await screen.findByText('0:00');
    await pass(2_000);
    expect(screen.getAllByRole('status').map((each) => each.textContent)).toContain('Recording');
    (await button('Cancel')).focus();
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(await button('Record'));
    await user.click(await button('Record'));
    await user.click(await button('Cancel'));
    expect(document.activeElement).toBe(await button('Record'));
    await screen.findByText('Recording discarded');
    await user.click(await button('Dismiss notification'));
    await waitFor(() => expect(stored).toEqual(['discarded']));
  });

  it('says no more that the microphone is missing once a note was written instead', async () => {
    const commands = { addNote: async () => 'note' };
    const { user, microphone } = open({ path: profile, commands });
    microphone.failWith(new MicrophoneError('denied'));
    await user.click(await button('Record'));
    await screen.findByRole('alert');
    await user.type(screen.getByRole('textbox', { name: 'Write a note' }), 'Slept well');
    expect(screen.getByRole('alert')).toBeDefined();
    await user.click(await button('Send'));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it.each([
    ['denied', 'Microphone permission denied or unavailable.'],
    ['unavailable', 'Could not access microphone.'],
    ['unsupported', 'This browser cannot record sound on this page.'],
  ] as const)(
    'says so when the microphone is %s, and works when it is there',
    async (problem, words) => {
      const { user, microphone } = open({ path: recordPath });
      microphone.failWith(new MicrophoneError(problem));
      await user.click(await button('Record'));
      expect((await screen.findByRole('alert')).textContent).toBe(words);
      expect(await button('Record')).toBeDefined();
    },
  );

  it('says that a recording could not be kept, until the next one starts', async () => {
    const keep = () => Promise.reject(new CommandError('storage', 'No room.'));
    const { user, pass } = open({ path: recordPath, voice: { keep, letGo: () => undefined } });
    await user.click(await button('Record'));
    await button('Stop');
    await pass(2_000);
    await user.click(await button('Stop'));
    expect((await screen.findByRole('alert')).textContent).toBe('No room.');
    await user.click(await button('Record'));
    await button('Stop');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says that a recording was too short', async () => {
    const { user, pass } = open({ path: recordPath });
    await user.click(await button('Record'));
    await button('Stop');
    await pass(500);
    await user.click(await button('Stop'));
    expect(await screen.findByText(/^Recording too short — hold/)).toBeDefined();
  });
});

/** Waits for the code that the page has requested. */
const codeArrives = () => act(() => import('./recorder/composer-voice.lazy.tsx').then(nextTask));

describe('the microphone of the composer', () => {
  it.each(['[TouchA]', '[MouseLeft]', '{Enter}'])(
    'starts with %s although its code arrives during the press',
    async (key) => {
      const { user, pass } = open({ path: profile });
      const microphone = await button('Record');
      microphone.focus();
      const press = (keys: string) =>
        key === '{Enter}'
          ? user.keyboard(keys)
          : user.pointer({ keys, target: microphoneButton() });
      await press(key.replace(/[\]}]$/, '>$&'));
      await codeArrives();
      await press(key.replace(/^[[{]/, '$&/'));
      await pass(2_000);
      expect(await screen.findByRole('timer', { name: 'Recorded' })).toBeDefined();
      expect((await button('Stop')).isSameNode(microphone)).toBe(true);
    },
  );

  /** @param meanwhile runs while it records. */
  const recordNow = async (
    { user, pass }: ReturnType<typeof open>,
    meanwhile: () => unknown = () => undefined,
  ): Promise<void> => {
    await screen.findByRole('textbox', { name: 'Write a note' });
    await user.click(await button('Record'));
    const timer = await screen.findByRole('timer', { name: 'Recorded' });
    await waitFor(() => expect(timer.textContent).toBe('0:00'));
    await pass(2_000);
    meanwhile();
    await user.click(await button('Stop'));
  };
  const writeBox = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Write a note' });

  it('puts words after the text typed meanwhile, and sends the recording with them', async () => {
    let say: (heard: TranscribeAnswer) => void = () => undefined;
    const keep = vi.fn<VoiceFiles['keep']>(async () => undefined);
    const app = open({
      path: profile,
      voice: { transcribeNow: () => new Promise((resolve) => (say = resolve)), keep },
    });
    const { user } = app;
    let before: readonly HTMLElement[] = [];
    await recordNow(app, () => (before = screen.getAllByRole('status')));
    expect(before).toContain(
      await screen.findByText('Transcribing your voice note… this may take a moment.'),
    );
    await user.type(writeBox(), 'On the beach:');
    await act(async () => say({ text: 'we went away', rough: false }));
    await waitFor(() => expect(writeBox().value).toBe('On the beach: we went away'));
    expect(writeBox().selectionStart).toBe('On the beach:'.length);
    expect(before).toContain(screen.getByText('With your recording, 0:02.'));
    expect(keep).not.toHaveBeenCalled();
    await user.click(await button('Send'));
    const words = { text: 'On the beach: we went away', transcript: 'edited' };
    await waitFor(() => expect(keep).toHaveBeenCalledWith('one', words));
    await waitFor(() => expect(writeBox().value).toBe(''));
    expect(screen.queryByText(/^With your recording/)).toBeNull();
  });

  it('sends a recording whose words were cleared, and keeps it attached until it is kept', async () => {
    const keep = vi
      .fn<VoiceFiles['keep']>()
      .mockRejectedValueOnce(new CommandError('storage', 'Full.'));
    const transcribeNow = async () => ({ text: 'we went away', rough: true });
    const app = open({ path: profile, voice: { transcribeNow, keep } });
    const { user } = app;
    await recordNow(app);
    await screen.findByText('With your recording, 0:02. Its text is rough: look it over.');
    await user.clear(writeBox());
    expect(screen.queryByRole('button', { name: 'Record' })).toBeNull();
    await user.click(await button('Send'));
    expect((await screen.findByRole('alert')).textContent).toBe('Full.');
    await user.click(await button('Send'));
    await waitFor(() => expect(keep).toHaveBeenCalledTimes(2));
    expect(keep).toHaveBeenLastCalledWith('one', { text: '', transcript: 'edited' });
    expect(await button('Record')).toBeDefined();
  });

  it('removes a recording only when its owner says so twice', async () => {
    const discard = vi.fn<VoiceFiles['discard']>(async () => undefined);
    const transcribeNow = async () => ({ text: 'we went away', rough: false });
    const app = open({ path: profile, voice: { transcribeNow, discard } });
    await recordNow(app);
    await app.user.click(await button('Remove'));
    expect(discard).not.toHaveBeenCalled();
    await app.user.click(await button('Really remove'));
    await waitFor(() => expect(discard).toHaveBeenCalledWith('one'));
    expect(writeBox().value).toBe('we went away');
  });

  it.each([
    ['as they were heard', '', { text: 'we went away', transcript: 'done' }],
    ['as its owner has changed them', ' Far.', { text: 'we went away Far.', transcript: 'edited' }],
  ])('keeps its words %s, when its owner goes elsewhere', async (_title, typed, words) => {
    const keep = vi.fn<VoiceFiles['keep']>(async () => undefined);
    const transcribeNow = async () => ({ text: 'we went away', rough: false });
    const app = open({ path: profile, voice: { transcribeNow, keep } });
    const { user, goTo } = app;
    await recordNow(app);
    await screen.findByText(/^With your recording/);
    if (typed !== '') await user.type(writeBox(), typed);
    act(() => goTo('/settings'));
    await screen.findByRole('heading', { name: 'Account Settings' });
    await waitFor(() => expect(keep.mock.calls).toEqual([['one', words]]));
    act(() => goTo(profile));
    await screen.findByRole('textbox', { name: 'Write a note' });
    expect(writeBox().value).toBe('');
  });

  it('does not take a second tap on Send, whose place it has, for its own', async () => {
    const { user, pass } = open({ path: profile, commands: { addNote: async () => 'new' } });
    const box = await screen.findByRole('textbox', { name: 'Write a note' });
    await user.type(box, 'once');
    await user.click(await button('Send'));
    expect((await button('Record')).className).toContain('invisible');
    await pass(600);
    expect((await button('Record')).className).not.toContain('invisible');
  });

  it('can be left at any time: the recording is a voice note then', async () => {
    const keep = vi.fn<VoiceFiles['keep']>(async () => undefined);
    const { user, pass } = open({
      path: profile,
      voice: { transcribeNow: () => new Promise(() => undefined), keep },
    });
    await screen.findByRole('textbox', { name: 'Write a note' });
    await user.click(await button('Record'));
    await button('Stop');
    await pass(2_000);
    await user.click(await button('Stop'));
    await user.click(await button('Keep as voice note'));
    await waitFor(() => expect(keep).toHaveBeenCalledWith('one', undefined));
    expect(screen.queryByText(/^Transcribing/)).toBeNull();
  });
});

describe('a recording whose page is left', () => {
  const begun = { id: 'one', append: async () => undefined, discard: async () => undefined };
  const leave = async (own: Own) => {
    const app = open(own);
    await app.user.click(await button('Record'));
    await screen.findByText('0:00');
    await app.pass(3_000);
    act(() => app.goTo('/settings'));
    return app;
  };

  it.each([recordPath, profile])('says on the next one that it failed, from %s', async (path) => {
    const finish = () => Promise.reject(new Error('Failed to assemble recording.'));
    await leave({ path, voice: { begin: async () => ({ ...begun, finish }) } });
    expect(await screen.findByText('Failed to assemble recording.')).toBeDefined();
  });

  const another = { uid: 'another', email: 'ben@pawpals.example', displayName: 'Ben' };
  it.each([
    [profile, false, null],
    [profile, true, null],
    [recordPath, true, null],
    [recordPath, true, another],
  ])(
    'says nothing once its owner is signed out, from %s, assembled: %s, then signed in: %j',
    async (path, isWhole, next) => {
      const ended = deferred<boolean>();
      const keep = vi.fn<VoiceFiles['keep']>(async () => undefined);
      const { store, user, pass } = open({
        path,
        voice: { begin: async () => ({ ...begun, finish: () => ended.promise }), keep },
      });
      await user.click(await button('Record'));
      await screen.findByText('0:00');
      await pass(3_000);
      act(() => store.set(authStateAtom, (state) => ({ ...state, user: null })));
      await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull());
      if (next !== null) act(() => store.set(authStateAtom, (state) => ({ ...state, user: next })));
      await act(async () => {
        ended.resolve(isWhole);
        await nextTask();
      });
      expect(keep).toHaveBeenCalledTimes(isWhole ? 1 : 0);
      expect(store.get(toastsAtom)).toEqual([]);
    },
  );

  it('says that it could not be kept, and is offered', async () => {
    const letGo = vi.fn<VoiceFiles['letGo']>();
    const keep = () => Promise.reject(new CommandError('storage', 'No room.'));
    await leave({ path: recordPath, voice: { keep, letGo } });
    expect(await screen.findByText('No room.')).toBeDefined();
    expect(letGo).toHaveBeenCalledExactlyOnceWith('one');
  });

  it('says that it was kept, and leads nowhere else', async () => {
    const { path } = await leave({ path: recordPath, voice: { keep: async () => undefined } });
    expect(await screen.findByText('Kept as a voice note.')).toBeDefined();
    expect(path()).toBe('/settings');
  });
});
