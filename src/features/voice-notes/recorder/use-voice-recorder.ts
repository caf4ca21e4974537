import { useAtomValue, useStore } from 'jotai';
import { useEffect, useMemo } from 'react';
import { useData } from '../../../data/data-context.ts';
import { useLive } from '../../../lib/async/live.ts';
import { useLatest } from '../../../lib/react/use-latest.ts';
import { openMicrophoneAtom } from '../../../platform/media/microphone.ts';
import { clockAtom } from '../../../platform/system-clock.ts';
import { keepAwake } from '../../../platform/media/wake-lock.ts';
import { keepSilent } from '../player/voice-player.ts';
import { isUnderWay, type RecorderState } from './recorder-state.ts';
import {
  createVoiceRecorder,
  type VoiceRecorder,
  type VoiceRecorderDeps,
} from './voice-recorder.ts';
import { useOfferUndo } from './use-offer-undo.ts';
import { useOwnersToasts } from './use-owners-toasts.ts';

/** A dialog, or the newest notification if it has no Undo. */
const closedByEscape = 'dialog[open], [data-toast]:last-child:not([data-has-action])';

/**
 * Creates a recorder for this page.
 *
 * - Leaving the page ends a recording and keeps it. A toast tells what goes wrong with that.
 * - Escape cancels it, unless it closes a dialog or a notification. Cancelling can be undone.
 * - No voice note plays meanwhile, so that it is not recorded.
 */
export function useVoiceRecorder(
  petId: string,
  onRecorded: VoiceRecorderDeps['onRecorded'],
): { readonly recorder: VoiceRecorder; readonly state: RecorderState } {
  const { files } = useData();
  const store = useStore();
  const showToast = useOwnersToasts();
  const { open } = useAtomValue(openMicrophoneAtom);
  const clock = useAtomValue(clockAtom);
  const handOver = useLatest(onRecorded);
  const offerUndo = useLatest(useOfferUndo());
  const recorder = useMemo(
    () =>
      createVoiceRecorder({
        petId,
        loadVoice: async () => (await files.load()).voice,
        openMicrophone: open,
        keepAwake,
        clock,
        onRecorded: handOver,
        onCancelled: offerUndo,
        onLeftProblem: (message) => showToast({ message, variant: 'error' }),
      }),
    [petId, files, open, clock, handOver, offerUndo, showToast],
  );
  const state = useLive(recorder);
  const isActive = isUnderWay(state);

  useEffect(
    () => () => {
      if (recorder.getSnapshot().phase === 'starting') recorder.cancel();
      else recorder.stop();
    },
    [recorder],
  );

  useEffect(() => {
    if (!isActive) return undefined;
    const letPlay = keepSilent(store);
    const onKeyDown = ({ key, repeat }: KeyboardEvent): void => {
      if (key !== 'Escape' || repeat) return;
      if (document.querySelector(closedByEscape) === null) recorder.cancel();
    };
    // In the capture phase, the dialog or notification that the key closes is still open.
    window.addEventListener('keydown', onKeyDown, true);
    return () => {
      letPlay();
      window.removeEventListener('keydown', onKeyDown, true);
    };
  }, [recorder, isActive, store]);

  return { recorder, state };
}
