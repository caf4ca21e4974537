import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { TranscribeAnswer } from '../../../schemas/transcription.ts';
import { createFakeClock } from '../../../tests/support/fakes/fake-clock.ts';
import { deferred, entryRow, fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import { fakeMicrophone } from '../../../tests/support/fakes/fake-sound.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { CommandError, type Commands } from '../../data/commands/commands.ts';
import type { VoiceFiles } from '../../data/files/voice-files.ts';
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

  it.each([recordPath, profile])('cancels with Escape and with its button on %s', async (path) => {
    const { user, stored, pass } = open({ path });
    await user.click(await button('Record'));
    await screen.findByText('0:00');
    await pass(2_000);
    await user.keyboard('{Escape}');
    await user.click(await button('Record'));
    await user.click(await button('Cancel'));
    expect(document.activeElement).toBe(await button('Record'));
    await screen.findByText('Recording discarded');
    await user.click(await button('Dismiss notification'));
    await waitFor(() => expect(stored).toEqual(['discarded']));
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
    ['as they were heard: the box is empty then', '', ''],
    ['beside what the box says: that stays a draft', ' Far.', 'we went away Far.'],
  ])('keeps its words %s, when its owner goes elsewhere', async (_title, typed, left) => {
    const keep = vi.fn<VoiceFiles['keep']>(async () => undefined);
    const transcribeNow = async () => ({ text: 'we went away', rough: false });
    const app = open({ path: profile, voice: { transcribeNow, keep } });
    const { user, goTo } = app;
    await recordNow(app);
    await screen.findByText(/^With your recording/);
    if (typed !== '') await user.type(writeBox(), typed);
    act(() => goTo('/settings'));
    await screen.findByRole('heading', { name: 'Account Settings' });
    const words = { text: 'we went away', transcript: 'done' };
    await waitFor(() => expect(keep.mock.calls).toEqual([['one', words]]));
    act(() => goTo(profile));
    await screen.findByRole('textbox', { name: 'Write a note' });
    expect(writeBox().value).toBe(left);
    await user.clear(writeBox());
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

describe('a voice note in the journal', () => {
  const note = (part: Parameters<typeof entryRow>[2]) => {
    const row = entryRow('one', Date.now(), { type: 'voice-note', durationMs: 4_000, ...part });
    const { text: _, ...wordless } = row.fields;
    return part?.text === undefined ? { ...row, fields: wordless } : row;
  };
  const fileLocation = 'pets/pet/audios/voice-note-1.webm';

  const inProgress = 'AI Generation In Progress';

  it.each([
    [{ transcript: 'waiting' }, voiceJob('one'), [inProgress, /about to be uploaded/]],
    [{ transcript: 'waiting' }, null, [inProgress, /not here, and not on the server/]],
    [
      { transcript: 'waiting', fileLocation },
      voiceJob('one', { stage: 'transcribing', attempts: 3, code: 'words-no-engine' }),
      [inProgress],
    ],
    [
      { transcript: 'waiting' },
      voiceJob('one', { stage: 'failed', code: 'http-413' }),
      [inProgress, /too large for the server/],
    ],
    [{ transcript: 'unheard', fileLocation }, null, ['This server makes no texts of recordings.']],
    [{ transcript: 'rough', text: 'win a way', fileLocation }, null, ['win a way', 'Rough text']],
    [{ transcript: 'none', fileLocation }, null, ['No speech detected']],
    [{ transcript: 'failed', fileLocation }, null, ['No text could be made of this recording']],
    [{ transcript: 'done', text: 'went away', fileLocation }, null, ['went away']],
  ] as const)('with %o says how far it is, and why', async (part, job, says) => {
    const { data } = open({ path: profile });
    act(() => {
      if (job !== null) data.files.voice.works.set({ one: job });
      data.entries.set([note(part)]);
    });
    const player = await screen.findByRole('group', { name: 'Voice note' });
    expect(within(player).getByText('0:04')).toBeDefined();
    for (const words of says) expect(await screen.findByText(words)).toBeDefined();
  });

  it('opens with a tap on its text like any other, and explains why it has no text', async () => {
    const { user, data, path: here } = open({ path: profile });
    const first = note({ transcript: 'unheard', fileLocation });
    act(() =>
      data.entries.set([
        { ...first, id: 'two', feedKey: `0${first.feedKey}` },
        first,
        {
          ...note({ text: 'went away', transcript: 'done' }),
          id: 'three',
          feedKey: `z${first.feedKey}`,
        },
      ]),
    );
    const wordless = 'Voice note, 0:04 This server makes no texts of recordings.';
    expect(await screen.findAllByRole('link', { name: wordless })).toHaveLength(2);
    expect(await screen.findAllByRole('group', { name: 'Voice note' })).toHaveLength(3);
    expect(screen.queryByText(inProgress)).toBeNull();
    await user.click(await screen.findByRole('link', { name: 'went away' }));
    await waitFor(() => expect(here()).toBe('/pets/pet/notes/three'));
  });

  it('has its own text on its page if the server makes none, with a way to request it', async () => {
    const retranscribe = vi.fn<VoiceFiles['retranscribe']>(async () => undefined);
    const { user, data } = open({ path: '/pets/pet/notes/one', voice: { retranscribe } });
    act(() => data.entries.set([note({ transcript: 'unheard', fileLocation })]));
    expect(await screen.findByText('This server makes no texts of recordings.')).toBeDefined();
    await user.click(await button('Transcribe'));
    await waitFor(() => expect(retranscribe).toHaveBeenCalledOnce());
  });

  it('is mentioned in Settings if the server makes no texts', async () => {
    const { data } = open({ path: '/settings' });
    await screen.findByRole('heading', { name: 'Account Settings' });
    expect(screen.queryByText(/makes no texts/)).toBeNull();
    act(() => data.files.voice.noEngine.set(true));
    expect(await screen.findByText(/^This server makes no texts of recordings\./)).toBeDefined();
  });

  it('keeps a text that was begun and left, until it is saved or cancelled', async () => {
    const spoken = note({ transcript: 'edited', text: 'my words', fileLocation });
    const openNote = () => {
      const opened = open({ path: '/pets/pet/notes/one' });
      act(() => opened.data.entries.set([spoken]));
      return opened;
    };
    const first = openNote();
    await first.user.click(await button('Correct the text'));
    await first.user.keyboard(', and more');
    cleanup();
    const second = openNote();
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
    expect(box.value).toBe('my words, and more');
    await second.user.click(await button('Cancel'));
    expect(document.activeElement).toBe(await button('Correct the text'));
    cleanup();
    openNote();
    expect(await button('Correct the text')).toBeDefined();
  });

  it('has its text corrected and made again, and its recording saved', async () => {
    const editText = vi.fn<Commands['editText']>(async () => undefined);
    const retranscribe = vi.fn<VoiceFiles['retranscribe']>(async () => undefined);
    const { user, data } = open({
      path: '/pets/pet/notes/one',
      commands: { editText },
      voice: { retranscribe },
    });
    act(() => data.entries.set([note({ transcript: 'edited', text: 'my words', fileLocation })]));
    await user.click(await button('Correct the text'));
    const box = screen.getByRole('textbox', { name: 'Text' });
    await user.clear(box);
    await user.click(await button('Save the text'));
    expect(screen.getByText('Text is required')).toBeDefined();
    await user.type(box, 'better words');
    await user.click(await button('Save the text'));
    await waitFor(() => expect(editText).toHaveBeenCalledWith('one', 'better words'));
    await user.click(await button('Transcribe again'));
    expect(retranscribe).not.toHaveBeenCalled();
    await user.click(await button('Replace your own words'));
    await waitFor(() => expect(retranscribe).toHaveBeenCalledOnce());
    expect(await button('Save the recording')).toBeDefined();
  });
});
