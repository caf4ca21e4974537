import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { TranscribeAnswer } from '../../../../schemas/transcription.ts';
import { cell } from '../../../../tests/support/fakes/cell.ts';
import { createFakeClock } from '../../../../tests/support/fakes/fake-clock.ts';
import {
  deferred,
  fakeData,
  petRow,
  type Deferred,
} from '../../../../tests/support/fakes/fake-data.ts';
import { voiceJob } from '../../../../tests/support/fixtures/file-records.ts';
import { fakeMicrophone, fakeSoundOutput } from '../../../../tests/support/fakes/fake-sound.ts';
import { openApp } from '../../../../tests/support/setups/open-app.tsx';
import { CommandError } from '../../../data/commands/commands.ts';
import type { VoiceFiles } from '../../../data/files/voice-files.ts';
import { authStateAtom } from '../../../platform/auth/session.ts';
import { openMicrophoneAtom } from '../../../platform/media/microphone.ts';
import { soundOutputAtom } from '../../../platform/media/sound-output.ts';
import { toastsAtom, toastsOf } from '../../../platform/toasts.ts';
import { nextTask } from '../../../lib/async/next-task.ts';
import { eraseDrafts, readDrafts, writeDraft } from '../../../lib/draft.ts';
import { recordingDraft } from './draft-recording.ts';
import { voicePlayerOf } from '../player/voice-player.ts';
import { clockAtom } from '../../../platform/system-clock.ts';

/** Opens a journal and records by keyboard until the timer runs. */
async function recordByKeyboard(prepare?: (store: ReturnType<typeof openApp>['store']) => void) {
  const discarded: string[] = [];
  const words: Deferred<TranscribeAnswer>[] = [];
  const keep = vi.fn<VoiceFiles['keep']>(async () => undefined);
  const letGo = vi.fn<VoiceFiles['letGo']>();
  let begun = 0;
  const data = fakeData(
    {},
    {
      voice: {
        begin: async () => {
          const id = ['one', 'two'][begun++] ?? 'more';
          return {
            id,
            append: async () => undefined,
            finish: async () => true,
            discard: async () => undefined,
          };
        },
        transcribeNow: () => {
          const asked = deferred<TranscribeAnswer>();
          words.push(asked);
          return asked.promise;
        },
        keep,
        letGo,
        discard: async (id) => void discarded.push(id),
      },
    },
  );
  data.pets.set([petRow('pet', 'Bramble')]);
  const { user, store } = openApp({ path: '/pets/pet/profile', data });
  const clock = createFakeClock(Date.now());
  act(() => {
    store.set(clockAtom, clock);
    store.set(openMicrophoneAtom, fakeMicrophone());
  });
  prepare?.(store);
  (await screen.findByRole('button', { name: 'Record' })).focus();
  await user.keyboard('{Enter}');
  await screen.findByText('0:00');
  await act(() => clock.advance(2_000));
  return {
    user,
    store,
    data,
    discarded,
    keep,
    letGo,
    pass: () => act(() => clock.advance(2_000)),
    /** Answers the request for the transcript of a recording. */
    say: async (text: string, of = 0) => {
      await waitFor(() => expect(words.length).toBeGreaterThan(of));
      await act(async () => words[of]?.resolve({ text, rough: false }));
    },
  };
}

const focused = () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent;

it('a recording goes on when Escape closes a dialog, and is cancelled by the next one', async () => {
  const { user, discarded } = await recordByKeyboard();
  await user.click(screen.getByRole('button', { name: /Sync details/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Sync' });
  fireEvent.keyDown(dialog, { key: 'Escape' });
  fireEvent(dialog, new Event('cancel'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('timer', { name: 'Recorded' })).toBeDefined();
  expect(discarded).toEqual([]);

  await user.keyboard('{Escape}');
  await screen.findByText('Recording discarded');
  expect(screen.queryByRole('timer')).toBeNull();
});

it('a cancelled recording is discarded together with the offer to undo', async () => {
  const { user, discarded, keep } = await recordByKeyboard();
  await user.keyboard('{Escape}');
  await screen.findByText('Recording discarded');
  await user.keyboard('{Enter}');
  await screen.findByRole('timer');
  expect(discarded).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Dismiss notification' }));
  await waitFor(() => expect(discarded).toEqual(['one']));
  expect(keep).not.toHaveBeenCalled();
});

it('Escape cancels the recording that is under way, and leaves the offer to undo the one before', async () => {
  const { user, discarded, store } = await recordByKeyboard();
  act(() => void toastsOf(store).show({ message: 'Kept', durationMs: 0 }));
  await screen.findByRole('alert');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByText('Recording discarded');
  await user.keyboard('{Enter}');
  await screen.findByRole('timer');
  await user.keyboard('{Escape>3/}');
  await waitFor(() => expect(screen.queryByRole('timer')).toBeNull());
  expect(screen.getByText('Recording discarded')).toBeDefined();
  expect(discarded).toEqual([]);
});

it('nothing is said of a recording that Undo keeps once its owner is signed out', async () => {
  const { user, store, keep } = await recordByKeyboard();
  const kept = deferred<undefined>();
  keep.mockReturnValue(kept.promise);
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(keep).toHaveBeenCalled());
  act(() => store.set(authStateAtom, (state) => ({ ...state, user: null })));
  await act(async () => {
    kept.resolve(undefined);
    await nextTask();
  });
  expect(store.get(toastsAtom)).toEqual([]);
});

it('a cancelled recording is kept after Undo, on another page too', async () => {
  const { user, discarded, keep } = await recordByKeyboard();
  await user.keyboard('{Escape}');
  const undo = await screen.findByRole('button', { name: 'Undo' });
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await screen.findByRole('heading', { name: 'My Dogs' });
  await user.click(undo);
  await screen.findByText('Kept as a voice note.');
  expect(keep.mock.calls).toEqual([['one']]);
  expect(discarded).toEqual([]);
});

it('a cancelled recording is kept after Undo by the session that is open then', async () => {
  const { user, data, keep } = await recordByKeyboard();
  const keepNow = vi.fn<VoiceFiles['keep']>(async () => undefined);
  const later = fakeData({}, { voice: { keep: keepNow } });
  Object.assign(data, { newestFiles: later.newestFiles });
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText('Kept as a voice note.');
  expect(keepNow.mock.calls).toEqual([['one']]);
  expect(keep).not.toHaveBeenCalled();
});

it('a cancelled recording that cannot be kept is offered by the journal', async () => {
  const { user, discarded, keep, letGo } = await recordByKeyboard();
  keep.mockRejectedValue(new CommandError('storage', 'No room.'));
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText('No room.');
  expect(letGo.mock.calls).toEqual([['one']]);
  expect(discarded).toEqual([]);
});

it('a recording goes on when Escape closes a notification, or is held down', async () => {
  const { user, discarded, store } = await recordByKeyboard();
  act(() => void toastsOf(store).show({ message: 'Kept', durationMs: 0 }));
  await screen.findByRole('alert');
  await user.keyboard('{Escape>3/}');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(screen.getByRole('timer', { name: 'Recorded' })).toBeDefined();
  expect(discarded).toEqual([]);
  await user.keyboard('{Escape}');
  await screen.findByText('Recording discarded');
});

it('no voice note plays meanwhile, so that it is not recorded', async () => {
  const { output, ...speaker } = fakeSoundOutput();
  const sound = { bytes: new ArrayBuffer(1), contentType: 'audio/webm' };
  const other = {
    id: 'other',
    title: '',
    durationMs: 1,
    open: async () => sound,
    source: cell({}),
  };
  const { store } = await recordByKeyboard((opened) => {
    opened.set(soundOutputAtom, speaker);
    voicePlayerOf(opened).toggle(other);
  });
  expect(speaker.play).toHaveBeenCalledOnce();
  expect(output).toMatchObject({ isPlaying: false, loaded: '' });
  await act(async () => voicePlayerOf(store).toggle(other));
  expect(speaker.play).toHaveBeenCalledOnce();
});

it('Send takes the focus together with the place of the microphone', async () => {
  const { user, say } = await recordByKeyboard();
  await user.keyboard('{Enter}');
  await screen.findByText(/^Transcribing/);
  expect(focused()).toBe('Record');
  await say('we went away');
  await screen.findByText(/^With your recording/);
  expect(focused()).toBe('Send');
});

it('a card that goes leaves the focus to the button of the bar', async () => {
  const { user } = await recordByKeyboard();
  await user.keyboard('{Enter}');
  (await screen.findByRole('button', { name: 'Keep as voice note' })).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByText(/^Transcribing/)).toBeNull());
  expect(focused()).toBe('Record');
});

it('a card and a bar that go by themselves leave the focus to the button too', async () => {
  const { say, pass } = await recordByKeyboard();
  (await screen.findByRole('button', { name: 'Cancel' })).focus();
  for (let step = 0; step < 15; step += 1) await pass();
  const keep = await screen.findByRole('button', { name: 'Keep as voice note' });
  expect(focused()).toBe('Record');
  keep.focus();
  await say('we went away');
  await screen.findByText(/^With your recording/);
  expect(focused()).toBe('Send');
  await act(async () => undefined);
});

it('a removed recording leaves the focus to Send', async () => {
  const { user, say } = await recordByKeyboard();
  await user.keyboard('{Enter}');
  await screen.findByText(/^Transcribing/);
  await say('we went away');
  (await screen.findByRole('button', { name: 'Remove' })).focus();
  await user.keyboard('{Enter}{Enter}');
  await waitFor(() => expect(screen.queryByText(/^With your recording/)).toBeNull());
  expect(focused()).toBe('Send');
  await user.clear(screen.getByRole('textbox', { name: 'Write a note' }));
});

it('a removed recording leaves the focus to the microphone if the box is empty', async () => {
  const { user, say } = await recordByKeyboard();
  await user.keyboard('{Enter}');
  await screen.findByText(/^Transcribing/);
  await say('we went away');
  const remove = await screen.findByRole('button', { name: 'Remove' });
  await user.clear(screen.getByRole('textbox', { name: 'Write a note' }));
  remove.focus();
  await user.keyboard('{Enter}{Enter}');
  await waitFor(() => expect(screen.queryByText(/^With your recording/)).toBeNull());
  expect(focused()).toBe('Record');
});

it('a recording has its text again after a reload, and is sent with it', async () => {
  const keep = vi.fn<VoiceFiles['keep']>(async () => undefined);
  const heard = { text: 'we went away', rough: true };
  const reopen = vi.fn<VoiceFiles['reopen']>(async () => ({ id: 'one', durationMs: 4_000, heard }));
  const data = fakeData({}, { voice: { keep, reopen } });
  data.pets.set([petRow('pet', 'Bramble')]);
  writeDraft(recordingDraft({ owner: data.uid, name: 'pet' }, 'one'), 'We went away');
  const { user } = openApp({ path: '/pets/pet/profile', data });
  await screen.findByText('With your recording, 0:04. Its text is rough: look it over.');
  await screen.findByDisplayValue('We went away');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() =>
    expect(keep.mock.calls).toEqual([['one', { text: 'We went away', transcript: 'edited' }]]),
  );
  expect(reopen.mock.calls).toEqual([['one']]);
  await waitFor(() => expect(readDrafts(data.uid)).toEqual([]));
});

it('the text of a recording that is gone is in the box again', async () => {
  const data = fakeData({}, { voice: { reopen: async () => null } });
  data.pets.set([petRow('pet', 'Bramble')]);
  writeDraft(recordingDraft({ owner: data.uid, name: 'pet' }, 'one'), 'We went away');
  openApp({ path: '/pets/pet/profile', data });
  await screen.findByDisplayValue('We went away');
  expect(screen.queryByText(/^With your recording/)).toBeNull();
  expect(readDrafts(data.uid)).toEqual(['We went away']);
  eraseDrafts(data.uid);
});

it('the text of a recording that another tab has stays there', async () => {
  const reopen = vi.fn<VoiceFiles['reopen']>(async () => 'held');
  const data = fakeData({}, { voice: { reopen } });
  data.pets.set([petRow('pet', 'Bramble')]);
  writeDraft(recordingDraft({ owner: data.uid, name: 'pet' }, 'one'), 'We went away');
  openApp({ path: '/pets/pet/profile', data });
  await waitFor(() => expect(reopen).toHaveBeenCalled());
  await act(nextTask);
  expect(screen.queryByDisplayValue('We went away')).toBeNull();
  expect(readDrafts(data.uid)).toEqual(['We went away']);
  eraseDrafts(data.uid);
});

it('no recording is offered as an interrupted one while that of a draft is looked for', async () => {
  const found = deferred<null>();
  const reopen = vi.fn<VoiceFiles['reopen']>(() => found.promise);
  const data = fakeData({}, { voice: { reopen } });
  data.pets.set([petRow('pet', 'Bramble')]);
  data.files.voice.recoveredJobs.set([voiceJob('a', { stage: 'recorded', petId: 'pet' })]);
  writeDraft(recordingDraft({ owner: data.uid, name: 'pet' }, 'one'), 'Ducks');
  openApp({ path: '/pets/pet/profile', data });
  await waitFor(() => expect(reopen).toHaveBeenCalled());
  // The code of the offer loads at the same time as that of the composer.
  await act(() => import('./recovered-recordings.lazy.tsx'));
  await act(nextTask);
  expect(screen.queryByRole('region', { name: 'Recovered recordings' })).toBeNull();
  found.resolve(null);
  await screen.findByRole('region', { name: 'Recovered recordings' });
  eraseDrafts(data.uid);
});

it('a box with the draft of a plain note asks for no recording', async () => {
  const reopen = vi.fn<VoiceFiles['reopen']>(async () => null);
  const data = fakeData({}, { voice: { reopen } });
  data.pets.set([petRow('pet', 'Bramble')]);
  writeDraft({ owner: data.uid, name: 'pet' }, 'Ducks');
  data.files.voice.recoveredJobs.set([voiceJob('a', { stage: 'recorded', petId: 'pet' })]);
  const { user } = openApp({ path: '/pets/pet/profile', data });
  await screen.findByRole('region', { name: 'Recovered recordings' });
  await user.type(await screen.findByRole('textbox', { name: 'Write a note' }), ' and more');
  expect(reopen).not.toHaveBeenCalled();
  eraseDrafts(data.uid);
});

it('a recording makes way for the next one, whose note has only its own words', async () => {
  const { user, keep, say, pass } = await recordByKeyboard();
  await user.keyboard('{Enter}');
  await screen.findByText(/^Transcribing/);
  await user.keyboard('{Enter}');
  await screen.findByRole('timer', { name: 'Recorded' });
  await waitFor(() => expect(keep.mock.calls).toEqual([['one', undefined]]));
  await say('first words');
  expect(screen.queryByText(/^With your recording/)).toBeNull();
  await pass();
  await user.keyboard('{Enter}');
  await say('second words', 1);
  await screen.findByText(/^With your recording/);
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(keep).toHaveBeenCalledTimes(2));
  expect(keep.mock.lastCall).toEqual(['two', { text: 'second words', transcript: 'done' }]);
});
