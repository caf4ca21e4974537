import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { entryRow, fakeData, petRow } from '../../../tests/support/fake-data.ts';
import { voiceJob } from '../../../tests/support/fake-files.ts';
import { fakeMicrophone } from '../../../tests/support/fake-microphone.ts';
import { openApp } from '../../../tests/support/open-app.tsx';
import type { Commands } from '../../data/commands.ts';
import type { VoiceFiles } from '../../data/voice-files.ts';
import { MicrophoneError, openMicrophoneAtom } from '../../platform/microphone.ts';
import { nextTask } from '../../lib/next-task.ts';
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
        discard: async () => void stored.push('discarded'),
      }),
      ...voice,
    },
  });
  data.pets.set([petRow('pet', 'Bramble')]);
  const clock = createFakeClock(Date.now());
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
  it('records with a click each, shows time and what is left, keeps the note and leads away', async () => {
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

  it('cancels with Escape and with its button, and keeps nothing', async () => {
    const { user, stored, pass } = open({ path: recordPath });
    await user.click(await button('Record'));
    await button('Stop');
    await pass(2_000);
    await user.keyboard('{Escape}');
    await button('Record');
    await user.click(await button('Record'));
    await button('Stop');
    await user.click(await button('Cancel'));
    await button('Record');
    await waitFor(() => expect(stored).toEqual(['discarded', 'discarded']));
  });

  it.each([
    ['denied', 'Microphone permission denied or unavailable.'],
    ['unavailable', 'Could not access microphone.'],
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
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Recording too short — hold for at least 1 second.',
    );
  });
});

/** Lets the code that the page has asked for arrive. */
const codeArrives = () => act(() => import('./composer-voice.tsx').then(nextTask));

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

  it('puts words after what was typed meanwhile, and lets go of the recording when they are sent', async () => {
    let say: (text: string) => void = () => undefined;
    const discard = vi.fn<VoiceFiles['discard']>(async () => undefined);
    const { user, pass } = open({
      path: profile,
      commands: { addNote: async () => 'new' },
      voice: { wordsNow: () => new Promise((resolve) => (say = resolve)), discard },
    });
    await screen.findByRole('textbox', { name: 'Write a note' });
    await user.click(await button('Record'));
    await button('Stop');
    await pass(2_000);
    await user.click(await button('Stop'));
    await screen.findByText('Transcribing your voice note… this may take a moment.');
    const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Write a note' });
    await user.type(box, 'On the beach:');
    await act(async () => say('we went away'));
    await waitFor(() => expect(box.value).toBe('On the beach: we went away'));
    expect(await button('Keep the recording too')).toBeDefined();
    expect(discard).not.toHaveBeenCalled();
    await user.click(await button('Send'));
    await waitFor(() => expect(discard).toHaveBeenCalledWith('one'));
  });

  it.each([
    ['lets go of the recording whose words were cleared', true],
    ['keeps the recording whose words are in the box', false],
  ])('%s, when its owner goes elsewhere', async (_title, isCleared) => {
    const discard = vi.fn<VoiceFiles['discard']>(async () => undefined);
    const wordsNow = async () => 'we went away';
    const { user, pass, goTo } = open({ path: profile, voice: { wordsNow, discard } });
    await user.click(await button('Record'));
    await screen.findByRole('timer', { name: 'Recorded' });
    await pass(2_000);
    await user.click(await button('Stop'));
    await button('Keep the recording too');
    const box = screen.getByRole('textbox', { name: 'Write a note' });
    if (isCleared) await user.clear(box);
    act(() => goTo('/settings'));
    await screen.findByRole('heading', { name: 'Account Settings' });
    expect(discard.mock.calls).toEqual(isCleared ? [['one']] : []);
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
      voice: { wordsNow: () => new Promise(() => undefined), keep },
    });
    await screen.findByRole('textbox', { name: 'Write a note' });
    await user.click(await button('Record'));
    await button('Stop');
    await pass(2_000);
    await user.click(await button('Stop'));
    await user.click(await button('Keep as voice note'));
    await waitFor(() => expect(keep).toHaveBeenCalledWith('one'));
    expect(screen.queryByText(/^Transcribing/)).toBeNull();
  });
});

describe('a voice note in the journal', () => {
  const note = (part: Parameters<typeof entryRow>[2]) => {
    const { text: _, ...row } = entryRow('one', Date.now(), {
      type: 'voice-note',
      durationMs: 4_000,
      ...part,
    });
    return part?.text === undefined ? row : { ...row, text: part.text };
  };
  const fileLocation = 'pets/pet/audios/voice-note-1.webm';

  const inProgress = 'AI Generation In Progress';

  it.each([
    [{ transcript: 'waiting' }, voiceJob('one'), [inProgress, /about to be uploaded/]],
    [{ transcript: 'waiting' }, null, [inProgress, /not here, and not on the server/]],
    [
      { transcript: 'waiting', fileLocation },
      voiceJob('one', { stage: 'transcribing', attempts: 3, code: 'words-no-engine' }),
      [inProgress, /makes no texts at present/],
    ],
    [
      { transcript: 'waiting' },
      voiceJob('one', { stage: 'failed', code: 'http-413' }),
      [inProgress, /too large for the server/],
    ],
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
    expect(within(player).getByText('0:00 / 0:04')).toBeDefined();
    for (const words of says) expect(await screen.findByText(words)).toBeDefined();
  });

  it('has its text corrected and made again, and its recording saved', async () => {
    const editText = vi.fn<Commands['editText']>(async () => undefined);
    const makeWordsAgain = vi.fn<VoiceFiles['makeWordsAgain']>(async () => undefined);
    const { user, data } = open({
      path: '/pets/pet/notes/one',
      commands: { editText },
      voice: { makeWordsAgain },
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
    await user.click(await button('Make the text again'));
    expect(makeWordsAgain).not.toHaveBeenCalled();
    await user.click(await button('Replace your own words'));
    await waitFor(() => expect(makeWordsAgain).toHaveBeenCalledOnce());
    expect(await button('Save the recording')).toBeDefined();
  });
});

describe('a recovered recording', () => {
  it('is offered with its length and its dog, and kept or discarded', async () => {
    const keep = vi.fn<VoiceFiles['keep']>(async () => undefined);
    const discard = vi.fn<VoiceFiles['discard']>(async () => undefined);
    const { user, data } = open({ path: '/settings', voice: { keep, discard } });
    act(() =>
      data.files.voice.recoveredJobs.set([
        voiceJob('a', { stage: 'recorded', durationMs: 11_900 }),
        voiceJob('b', { stage: 'recorded', durationMs: 400, petId: 'gone' }),
      ]),
    );
    const offer = await screen.findByRole('region', { name: 'Recovered recordings' });
    expect(within(offer).getByText('Recovered recording, 12 s')).toBeDefined();
    expect(within(offer).getByText('Bramble')).toBeDefined();
    expect(within(offer).getByText('Its dog is not here any more.')).toBeDefined();
    await user.click(within(offer).getByRole('button', { name: 'Keep' }));
    expect(keep).toHaveBeenCalledWith('a');
    const [, last] = within(offer).getAllByRole('button', { name: 'Discard' });
    if (last !== undefined) await user.click(last);
    expect(discard).not.toHaveBeenCalled();
    await user.click(within(offer).getByRole('button', { name: 'Really discard' }));
    expect(discard).toHaveBeenCalledWith('b');
  });
});
