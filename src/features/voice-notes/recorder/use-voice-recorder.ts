import { useAtomValue } from 'jotai';
import { useEffect, useMemo } from 'react';
import { useData } from '../../../data/data-context.ts';
import { useLive } from '../../../lib/async/live.ts';
import { useLatest } from '../../../lib/react/use-latest.ts';
import { openMicrophoneAtom } from '../../../platform/media/microphone.ts';
import { clockAtom } from '../../../platform/system-clock.ts';
import { keepAwake } from '../../../platform/media/wake-lock.ts';
import { isUnderWay, type RecorderState } from './recorder-state.ts';
import {
  createVoiceRecorder,
  type FinishedRecording,
  type VoiceRecorder,
} from './voice-recorder.ts';

/**
 * Creates a recorder for this page. Leaving the page ends a recording and keeps it; Escape cancels it, unless it closes a
 * dialog.
 */
export function useVoiceRecorder(
  petId: string,
  onRecorded: (recording: FinishedRecording) => void,
): { readonly recorder: VoiceRecorder; readonly state: RecorderState } {
  const { files } = useData();
  const { open } = useAtomValue(openMicrophoneAtom);
  const clock = useAtomValue(clockAtom);
  const handOver = useLatest(onRecorded);
  const recorder = useMemo(
    () =>
      createVoiceRecorder({
        petId,
        loadVoice: async () => (await files.load()).voice,
        openMicrophone: open,
        keepAwake,
        clock,
        onRecorded: handOver,
      }),
    [petId, files, open, clock, handOver],
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
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) recorder.cancel();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [recorder, isActive]);

  return { recorder, state };
}
