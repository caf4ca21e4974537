import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { recordingMaxMs } from '../../../../schemas/limits.ts';
import { transcribing } from '../../../../schemas/copy/recording-copy.ts';
import { useData } from '../../../data/data-context.ts';
import { voiceSentences } from '../../../data/files/voice-copy.ts';
import { Button } from '../../../ui/button.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { keepOrOffer } from './keep-or-offer.ts';
import { RecordButton } from './record-button.tsx';
import { RecordingMeter } from './recording-meter.tsx';
import { isUnderWay, type RecorderState } from './recorder-state.ts';
import { useOwnersToasts } from './use-owners-toasts.ts';
import { useVoiceRecorder } from './use-voice-recorder.ts';

export interface RecordPageProps {
  readonly petId: string;
  /** Navigates away once the voice note is in the journal. */
  readonly onSaved: () => Promise<void>;
  /** The dog that the voice note is about. */
  readonly children: ReactNode;
}

const hint = `Tap to start and stop, or hold while you speak. Up to ${String(recordingMaxMs / 1_000)} seconds.`;

function statusOf(phase: RecorderState['phase']): string {
  if (phase === 'starting') return '';
  if (phase === 'recording') return voiceSentences.recording;
  return phase === 'processing' ? transcribing : hint;
}

export function RecordPage({ petId, onSaved, children }: RecordPageProps) {
  const { files } = useData();
  const showToast = useOwnersToasts();
  const { recorder, state } = useVoiceRecorder(petId, async ({ id }, isLeft) => {
    const problem = await keepOrOffer(async () => (await files.load()).voice, id);
    if (problem === null) {
      if (isLeft()) showToast({ message: voiceSentences.keptForLater });
      await onSaved();
    }
    return problem;
  });
  const buttonRef = useRef<HTMLButtonElement>(null);
  const cancelRef = useRef<HTMLButtonElement>(null);
  const { phase, problem } = state;
  const isActive = isUnderWay(state);

  // Escape, too, hides the button, which would take the focus with it.
  useLayoutEffect(() => {
    if (!isActive && document.activeElement === cancelRef.current) buttonRef.current?.focus();
  }, [isActive]);

  return (
    <div className="page-column flex flex-1 flex-col gap-6 pt-2 pb-[max(1.5rem,env(safe-area-inset-bottom))]">
      {children}
      <div className="flex flex-1 flex-col items-center justify-end gap-6">
        {problem !== null && <ProblemNote>{problem}</ProblemNote>}
        <div className="flex min-h-11 w-full max-w-80 items-center text-bracken">
          {isActive && <RecordingMeter recorder={recorder} state={state} />}
          {/* The element is always in the page, so that screen readers announce its text when it changes. */}
          <p role="status" className={isActive ? 'sr-only' : 'w-full text-center text-ink-soft'}>
            {statusOf(phase)}
          </p>
        </div>
        <RecordButton ref={buttonRef} recorder={recorder} state={state} size="large" />
        <Button
          ref={cancelRef}
          className={isActive ? '' : 'invisible'}
          onClick={() => {
            recorder.cancel();
            // Safari has not focused the button.
            buttonRef.current?.focus();
          }}
        >
          Cancel
        </Button>
      </div>
    </div>
  );
}
