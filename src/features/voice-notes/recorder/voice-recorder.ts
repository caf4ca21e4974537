import { recordingMaxMs, recordingMinMs } from '../../../../schemas/limits.ts';
import {
  microphoneDenied,
  microphoneUnavailable,
  recordingNotAssembled,
  recordingNotStopped,
  recordingTooShort,
  recordingUnsupported,
} from '../../../../schemas/copy/recording-copy.ts';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import type { OpenRecording, VoiceFiles } from '../../../data/files/voice-files.ts';
import { createObservable, type Observed } from '../../../lib/async/observable.ts';
import {
  MicrophoneError,
  type Microphone,
  type MicrophoneProblem,
  type OpenMicrophone,
} from '../../../platform/media/microphone.ts';
import { restingRecorder, type RecorderState } from './recorder-state.ts';

export interface FinishedRecording {
  readonly id: string;
  readonly durationMs: number;
}

/** The recorder of voice notes, one after another. */
export interface VoiceRecorder extends Observed<RecorderState> {
  /** The current loudness, from 0 to 1. */
  readonly level: () => number;
  readonly start: () => void;
  readonly stop: () => void;
  /** Ends the recording, which is discarded unless its owner takes that back. */
  readonly cancel: () => void;
}

export interface VoiceRecorderDeps {
  readonly petId: string;
  readonly loadVoice: () => Promise<Pick<VoiceFiles, 'begin'>>;
  readonly openMicrophone: OpenMicrophone;
  /** @returns a function that lets the screen sleep again. */
  readonly keepAwake: () => () => void;
  readonly clock: {
    readonly monotonicMs: () => number;
    readonly after: (delayMs: number, run: () => void) => () => void;
  };
  /**
   * Called with a recording that is complete on this device. The callee then keeps or discards it; the next recording
   * cannot start before the returned promise resolves.
   * @param isLeft tells whether the page of the recorder was left.
   * @returns what went wrong; null if nothing did.
   */
  readonly onRecorded: (
    recording: FinishedRecording,
    isLeft: () => boolean,
  ) => Promise<string | null>;
  /** Called with a cancelled recording that is complete on this device. The callee discards it, or keeps it after all. */
  readonly onCancelled: (recording: FinishedRecording) => void;
  /** Called with a problem that no page shows, because that of the recorder was left. */
  readonly onLeftProblem: (problem: string) => void;
}

const tickMs = 100;

/** One recording in progress. */
interface Run {
  readonly microphone: Microphone;
  readonly recording: OpenRecording;
  readonly startedMs: number;
  letSleep: () => void;
  cancelTick: () => void;
  /** Resolves when all chunks so far are durable, or one has failed; never rejects. */
  written: Promise<void>;
  writeProblem: string | null;
}

const microphoneSentences: Readonly<Record<MicrophoneProblem, string>> = {
  denied: microphoneDenied,
  unavailable: microphoneUnavailable,
  unsupported: recordingUnsupported,
};

function microphoneErrorCopy(error: unknown): string {
  return error instanceof MicrophoneError
    ? microphoneSentences[error.problem]
    : commandErrorCopy(error);
}

/**
 * Creates a recorder.
 *
 * - Each chunk is written as soon as those before it are, so a recording that is interrupted keeps its chunks. After a
 *   chunk that cannot be written none is, because players stop at a gap.
 * - A recording ends at the limit, or when the device ends it. One that is too short is discarded, with a message.
 * - The microphone is closed in all cases.
 * - A problem stays in the state until the next start. If nobody follows the recorder any more, it is told instead.
 */
export function createVoiceRecorder(deps: VoiceRecorderDeps): VoiceRecorder {
  const { clock } = deps;
  const { getSnapshot, subscribe, set, isObserved } = createObservable(restingRecorder);
  let run: Run | null = null;
  /** The number of the latest start. A start whose number differs was cancelled. */
  let attempt = 0;

  const show = (change: Partial<RecorderState>): void => set({ ...getSnapshot(), ...change });

  const rest = (problem: string | null): void => {
    run = null;
    show({ phase: 'idle', elapsedMs: 0, problem });
    if (problem !== null && !isObserved()) deps.onLeftProblem(problem);
  };

  const elapsedOf = ({ startedMs }: Run): number =>
    Math.min(recordingMaxMs, clock.monotonicMs() - startedMs);

  const letGo = ({ microphone, letSleep, cancelTick }: Run): void => {
    cancelTick();
    microphone.close();
    letSleep();
  };

  const write = async (ended: Run, bytes: ArrayBuffer, untilMs: number): Promise<void> => {
    await ended.written;
    if (ended.writeProblem !== null) return;
    try {
      await ended.recording.append(bytes, untilMs);
    } catch (error) {
      ended.writeProblem = commandErrorCopy(error);
      if (run === ended) stop();
    }
  };

  /** Stops the microphone, and waits for the last chunk. @returns what went wrong. */
  const close = async (ended: Run): Promise<string | null> => {
    let problem: string | null = null;
    try {
      await ended.microphone.stop();
    } catch {
      problem = recordingNotStopped;
    }
    letGo(ended);
    await ended.written;
    return ended.writeProblem ?? problem;
  };

  const finish = async (ended: Run, durationMs: number): Promise<string | null> => {
    const problem = await close(ended);
    if (durationMs < recordingMinMs) {
      await ended.recording.discard();
      return problem ?? recordingTooShort;
    }
    if (!(await ended.recording.finish(durationMs))) return problem ?? recordingNotAssembled;
    const { id } = ended.recording;
    const notKept = await deps.onRecorded({ id, durationMs }, () => !isObserved());
    return problem ?? notKept;
  };

  const giveUp = async (cancelled: Run, durationMs: number): Promise<void> => {
    const { recording } = cancelled;
    await close(cancelled);
    if (durationMs < recordingMinMs || !(await recording.finish(durationMs))) {
      await recording.discard();
    } else {
      deps.onCancelled({ id: recording.id, durationMs });
    }
  };

  const end = async (ended: Run): Promise<void> => {
    const durationMs = elapsedOf(ended);
    show({ phase: 'processing', elapsedMs: durationMs });
    ended.cancelTick();
    try {
      rest(await finish(ended, durationMs));
    } catch {
      // The chunks are stored, and offered when the owner returns to a page.
      rest(ended.writeProblem ?? recordingNotAssembled);
    }
  };

  function stop(): void {
    if (getSnapshot().phase === 'starting') {
      attempt += 1;
      rest(recordingTooShort);
    } else if (getSnapshot().phase === 'recording' && run !== null) void end(run);
  }

  const tick = (ticking: Run): void => {
    const elapsedMs = elapsedOf(ticking);
    show({ elapsedMs });
    if (elapsedMs >= recordingMaxMs) stop();
    else ticking.cancelTick = clock.after(tickMs, () => tick(ticking));
  };

  const begin = (microphone: Microphone, recording: OpenRecording): void => {
    const begun: Run = {
      microphone,
      recording,
      startedMs: clock.monotonicMs(),
      letSleep: () => undefined,
      cancelTick: () => undefined,
      written: Promise.resolve(),
      writeProblem: null,
    };
    microphone.start({
      onChunk: (bytes) => {
        begun.written = write(begun, bytes, elapsedOf(begun));
      },
      onEnded: () => {
        if (run === begun) stop();
      },
    });
    run = begun;
    begun.letSleep = deps.keepAwake();
    show({ phase: 'recording', elapsedMs: 0 });
    tick(begun);
  };

  const startNow = async (own: number): Promise<void> => {
    let microphone: Microphone | null = null;
    let recording: OpenRecording | null = null;
    try {
      microphone = await deps.openMicrophone();
      const { petId } = deps;
      const { contentType } = microphone;
      const checkWanted = (): void => {
        if (own !== attempt) throw new MicrophoneError('unavailable');
      };
      checkWanted();
      recording = await (await deps.loadVoice()).begin({ petId, contentType });
      checkWanted();
      begin(microphone, recording);
    } catch (error) {
      microphone?.close();
      if (own === attempt) rest(microphoneErrorCopy(error));
      await recording?.discard().catch(() => undefined);
    }
  };

  return {
    subscribe,
    getSnapshot,
    level: () => run?.microphone.level() ?? 0,
    start: () => {
      if (getSnapshot().phase !== 'idle') return;
      attempt += 1;
      show({ phase: 'starting', elapsedMs: 0, problem: null });
      void startNow(attempt);
    },
    stop,
    cancel: () => {
      attempt += 1;
      const cancelled = run;
      if (getSnapshot().phase === 'processing') return;
      rest(null);
      if (cancelled === null) return;
      cancelled.cancelTick();
      // If this fails, the recording is offered like an interrupted one.
      void giveUp(cancelled, elapsedOf(cancelled)).catch(() => undefined);
    },
  };
}
