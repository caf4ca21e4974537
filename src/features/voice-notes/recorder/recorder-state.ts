/** The phases of a recording. In `starting`, the code loads, the browser asks for permission, or the device opens. */
export type RecorderPhase = 'idle' | 'starting' | 'recording' | 'processing';

export interface RecorderState {
  readonly phase: RecorderPhase;
  readonly elapsedMs: number;
  /** A sentence for the owner; null when there is none. */
  readonly problem: string | null;
}

export const restingRecorder: RecorderState = { phase: 'idle', elapsedMs: 0, problem: null };

/** Whether a recording is starting or in progress. */
export function isUnderWay({ phase }: Pick<RecorderState, 'phase'>): boolean {
  return phase === 'starting' || phase === 'recording';
}
