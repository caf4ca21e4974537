import { recordingTooShort } from '../../../../schemas/copy/recording-messages.ts';
import { restingRecorder, type RecorderState } from './recorder-state.ts';
import type { VoiceRecorder } from './voice-recorder.ts';

export interface AwaitedRecorder extends VoiceRecorder {
  /** The code is here: this one records from now on. @returns a function that lets go of it. */
  readonly follow: (recorder: VoiceRecorder) => () => void;
}

/**
 * A recorder that takes orders before its code is here. Its guarantees:
 * - a start that nobody has called off is carried out as soon as there is a recorder to follow;
 * - a stop before that calls it off, and is told as too short.
 * @param onWanted the code is needed now.
 */
export function createAwaitedRecorder(onWanted: () => void): AwaitedRecorder {
  const watchers = new Set<() => void>();
  let followed: VoiceRecorder | null = null;
  let state = restingRecorder;

  const show = (next: RecorderState): void => {
    state = next;
    for (const watcher of watchers) watcher();
  };

  const callOff = (problem: string | null): void => {
    if (state.phase === 'starting') show({ ...restingRecorder, problem });
  };

  return {
    subscribe: (onChange) => {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    getSnapshot: () => state,
    level: () => followed?.level() ?? 0,
    start: () => {
      if (followed !== null) followed.start();
      else {
        show({ ...restingRecorder, phase: 'starting' });
        onWanted();
      }
    },
    stop: () => {
      if (followed === null) callOff(recordingTooShort);
      else followed.stop();
    },
    cancel: () => {
      if (followed === null) callOff(null);
      else followed.cancel();
    },
    follow: (recorder) => {
      const isAwaited = state.phase === 'starting';
      followed = recorder;
      const leave = recorder.subscribe(() => show(recorder.getSnapshot()));
      if (isAwaited) recorder.start();
      return () => {
        leave();
        followed = null;
        show(restingRecorder);
      };
    },
  };
}
