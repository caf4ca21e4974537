import { recordingTooShort } from '../../../../schemas/copy/recording-copy.ts';
import { createObservable } from '../../../lib/async/observable.ts';
import { restingRecorder } from './recorder-state.ts';
import type { VoiceRecorder } from './voice-recorder.ts';

export interface AwaitedRecorder extends VoiceRecorder {
  /** Forwards all calls to a loaded recorder from now on. @returns a function that stops forwarding. */
  readonly follow: (recorder: VoiceRecorder) => () => void;
}

/**
 * Creates a recorder that accepts calls before its code is loaded.
 *
 * - A start that was not cancelled runs as soon as there is a recorder to follow.
 * - A stop before that cancels the start, and reports the recording as too short.
 *
 * @param onWanted is called when the code is needed at once.
 */
export function createAwaitedRecorder(onWanted: () => void): AwaitedRecorder {
  let followed: VoiceRecorder | null = null;
  const { getSnapshot, subscribe, set: show } = createObservable(restingRecorder);

  return {
    subscribe,
    getSnapshot,
    level: () => followed?.level() ?? 0,
    start: () => {
      if (followed !== null) followed.start();
      else {
        show({ ...restingRecorder, phase: 'starting' });
        onWanted();
      }
    },
    stop: () => {
      if (followed !== null) followed.stop();
      else if (getSnapshot().phase === 'starting') {
        show({ ...restingRecorder, problem: recordingTooShort });
      }
    },
    cancel: () => {
      if (followed === null) show(restingRecorder);
      else followed.cancel();
    },
    follow: (recorder) => {
      const isAwaited = getSnapshot().phase === 'starting';
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
