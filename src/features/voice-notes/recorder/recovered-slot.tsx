import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../../lib/react/lazy-part.tsx';
import { whenIdle } from '../../../platform/when-idle.ts';

const recovered = lazyPart(
  async () => (await import('./recovered-recordings.lazy.tsx')).RecoveredRecordings,
);

/** Checks for interrupted recordings once the page is idle. */
export function RecoveredSlot() {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => whenIdle(() => setIsIdle(true)), []);
  return (
    isIdle && (
      <Suspense>
        <recovered.Component />
      </Suspense>
    )
  );
}
