import { useAtomValue } from 'jotai';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../../lib/react/lazy-part.tsx';
import { whenIdle } from '../../../platform/when-idle.ts';
import { isReopeningAtom } from './reopening.ts';

const recovered = lazyPart(
  async () => (await import('./recovered-recordings.lazy.tsx')).RecoveredRecordings,
);

/** Checks for interrupted recordings once the page is idle. */
export function RecoveredSlot() {
  const [isIdle, setIsIdle] = useState(false);
  const isReopening = useAtomValue(isReopeningAtom);
  useEffect(() => whenIdle(() => setIsIdle(true)), []);
  return (
    isIdle &&
    !isReopening && (
      <Suspense>
        <recovered.Component />
      </Suspense>
    )
  );
}
