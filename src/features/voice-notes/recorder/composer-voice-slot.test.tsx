import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { TranscribeAnswer } from '../../../../schemas/transcription.ts';
import { createFakeClock } from '../../../../tests/support/fakes/fake-clock.ts';
import { deferred, fakeData, petRow } from '../../../../tests/support/fakes/fake-data.ts';
import { fakeMicrophone } from '../../../../tests/support/fakes/fake-microphone.ts';
import { openApp } from '../../../../tests/support/setups/open-app.tsx';
import { openMicrophoneAtom } from '../../../platform/media/microphone.ts';
import { toastsOf } from '../../../platform/toasts.ts';
import { voicePlayerOf, type VoicePlayer } from '../player/voice-player.ts';
import { clockAtom } from '../../../platform/system-clock.ts';

/** Opens a journal and records by keyboard until the timer runs. */
async function recordByKeyboard(prepare: (player: VoicePlayer) => void = () => undefined) {
  const discarded: string[] = [];
  const words = deferred<TranscribeAnswer>();
  const data = fakeData(
    {},
    {
      voice: {
        begin: async () => ({
          id: 'one',
          append: async () => undefined,
          finish: async () => true,
          discard: async () => void discarded.push('one'),
        }),
        transcribeNow: () => words.promise,
        keep: async () => undefined,
        discard: async () => undefined,
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
  prepare(voicePlayerOf(store));
  (await screen.findByRole('button', { name: 'Record' })).focus();
  await user.keyboard('{Enter}');
  await screen.findByText('0:00');
  await act(() => clock.advance(2_000));
  return {
    user,
    store,
    discarded,
    say: (text: string) => act(() => words.resolve({ text, rough: false })),
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
  await waitFor(() => expect(discarded).toEqual(['one']));
  expect(screen.queryByRole('timer')).toBeNull();
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
  await waitFor(() => expect(discarded).toEqual(['one']));
});

it('a voice note that plays falls silent, so that it is not recorded', async () => {
  const unload = vi.fn<() => void>();
  await recordByKeyboard((player) => Object.assign(player, { unload }));
  expect(unload).toHaveBeenCalledOnce();
});

it('Send takes the focus together with the place of the microphone', async () => {
  const { user, say } = await recordByKeyboard();
  await user.keyboard('{Enter}');
  await screen.findByText(/^Transcribing/);
  expect(focused()).toBe('Record');
  say('we went away');
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

it('a removed recording leaves the focus to Send', async () => {
  const { user, say } = await recordByKeyboard();
  await user.keyboard('{Enter}');
  await screen.findByText(/^Transcribing/);
  say('we went away');
  (await screen.findByRole('button', { name: 'Remove' })).focus();
  await user.keyboard('{Enter}{Enter}');
  await waitFor(() => expect(screen.queryByText(/^With your recording/)).toBeNull());
  expect(focused()).toBe('Send');
  await user.clear(screen.getByRole('textbox', { name: 'Write a note' }));
});
