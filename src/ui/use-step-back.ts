import { useRouter } from '@tanstack/react-router';
import { useEffectEvent, useLayoutEffect } from 'react';

/**
 * Lets something that is open use a step back, as Android's Back button makes it.
 * @param take returns false if it has not used the step, which then leaves the page.
 */
export function useStepBack(take: () => false | void): void {
  const history = useRouter({ warn: false })?.history;
  const takeNow = useEffectEvent(take);
  // As early as what is open is shown.
  useLayoutEffect(
    () =>
      history?.block({
        enableBeforeUnload: false,
        blockerFn: ({ action }) => action === 'BACK' && takeNow() !== false,
      }),
    [history],
  );
}
