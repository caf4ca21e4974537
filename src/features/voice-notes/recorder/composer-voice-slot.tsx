import { useAtom, useAtomValue } from 'jotai';
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useData } from '../../../data/data-context.ts';
import { useLive } from '../../../lib/async/live.ts';
import { lazyPart } from '../../../lib/react/lazy-part.tsx';
import { clockAtom } from '../../../platform/system-clock.ts';
import { whenIdle } from '../../../platform/when-idle.ts';
import { createAwaitedRecorder } from './awaited-recorder.ts';
import type { ComposerVoiceProps } from './composer-voice.lazy.tsx';
import { draftedRecordings } from './draft-recording.ts';
import { RecordButton } from './record-button.tsx';
import { isReopeningAtom } from './reopening.ts';

const composerVoice = lazyPart(
  async () => (await import('./composer-voice.lazy.tsx')).ComposerVoice,
);

interface SlotProps extends Omit<
  ComposerVoiceProps,
  'draftedIds' | 'recorder' | 'state' | 'takeFocus'
> {
  /** Whether the box is empty, and nothing is attached to it. */
  readonly canRecord: boolean;
  /** The number of sent notes. */
  readonly sentCount: number;
}

/** Longer than the delay of a second tap on Send, whose place the microphone takes. */
const restMs = 600;

function useJustSent(sentCount: number): boolean {
  const clock = useAtomValue(clockAtom);
  const [restedCount, setRestedCount] = useState(sentCount);
  useEffect(() => clock.after(restMs, () => setRestedCount(sentCount)), [clock, sentCount]);
  return restedCount !== sentCount;
}

/**
 * The microphone of the composer. Its button stays the same element from the start, so that a press is never split
 * between two elements. The code of the recorder loads when the page is idle, or with the first press.
 */
export function ComposerVoiceSlot({ canRecord, sentCount, ...props }: SlotProps) {
  const [isWanted, setIsWanted] = useState(false);
  const { uid } = useData();
  const place = { owner: uid, name: props.petId };
  const [draftedIds] = useState(() => draftedRecordings(place));
  const [recorder] = useState(() => createAwaitedRecorder(() => setIsWanted(true)));
  const state = useLive(recorder);
  const isResting = useJustSent(sentCount);
  const isIdle = state.phase === 'idle';
  const isHidden = isIdle && !canRecord;
  const buttonRef = useRef<HTMLButtonElement>(null);
  useEffect(() => whenIdle(() => setIsWanted(true)), []);
  // A note that was written instead ends the concern about the recording.
  useEffect(() => {
    if (recorder.getSnapshot().problem !== null) recorder.cancel();
  }, [recorder, sentCount]);
  const [isReopening, setIsReopening] = useAtom(isReopeningAtom);
  useEffect(() => {
    setIsReopening(draftedIds.length > 0);
    return () => setIsReopening(false);
  }, [draftedIds, setIsReopening]);

  const sendButton = () => buttonRef.current?.form?.querySelector<HTMLElement>('[type=submit]');
  /** Focuses the button, or Send in its place. */
  const takeFocus = (): void => (isHidden ? sendButton() : buttonRef.current)?.focus();

  useLayoutEffect(() => {
    const { activeElement } = document;
    if (activeElement === buttonRef.current || activeElement === sendButton()) takeFocus();
    // Only a button that goes leaves its focus.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isHidden]);

  return (
    <>
      {isWanted && (
        <Suspense>
          <composerVoice.Component
            {...props}
            draftedIds={draftedIds}
            recorder={recorder}
            state={state}
            takeFocus={takeFocus}
          />
        </Suspense>
      )}
      <RecordButton
        ref={buttonRef}
        recorder={recorder}
        state={state}
        size="bar"
        isHidden={isHidden}
        isResting={isIdle && (isResting || isReopening)}
      />
    </>
  );
}
