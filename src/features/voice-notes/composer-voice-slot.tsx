import { useAtomValue } from 'jotai';
import { Mic } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { clockAtom } from '../../platform/system-clock.ts';
import { whenIdle } from '../../platform/when-idle.ts';
import type { ComposerVoiceProps } from './composer-voice.tsx';

const composerVoice = lazyPart(async () => (await import('./composer-voice.tsx')).ComposerVoice);

type SlotProps = Omit<ComposerVoiceProps, 'startsAtOnce' | 'isResting'>;

/** Longer than a second tap on Send takes to come, whose place the microphone has then. */
const restMs = 600;

function useJustSent(sentCount: number): boolean {
  const clock = useAtomValue(clockAtom);
  const [restedCount, setRestedCount] = useState(sentCount);
  useEffect(() => clock.after(restMs, () => setRestedCount(sentCount)), [clock, sentCount]);
  return restedCount !== sentCount;
}

/** The microphone of the composer. Its code comes when the page is idle, or when it is pressed. */
export function ComposerVoiceSlot(props: SlotProps) {
  const [isWanted, setIsWanted] = useState(false);
  const [isPressed, setIsPressed] = useState(false);
  const isResting = useJustSent(props.sentCount);
  useEffect(() => whenIdle(() => setIsWanted(true)), []);

  const press = (): void => {
    setIsPressed(true);
    setIsWanted(true);
  };

  const button = (
    <button
      type="button"
      aria-label="Record"
      title="Record"
      hidden={!props.isBoxEmpty}
      aria-busy="true"
      onClick={press}
      // Who holds it speaks already: the recording begins as soon as it can, and a tap ends it.
      onPointerDown={({ pointerType }) => {
        if (pointerType !== 'mouse') press();
      }}
      className={classNames(
        'inline-flex size-12 flex-none items-center justify-center rounded-full bg-heather text-paper [[hidden]]:hidden',
        isResting && 'invisible',
      )}
    >
      <Mic aria-hidden size={22} />
    </button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <composerVoice.Component {...props} startsAtOnce={isPressed} isResting={isResting} />
    </Suspense>
  );
}
