import { useAtomValue } from 'jotai';
import { Suspense } from 'react';
import { lazyPart } from '../../lib/react/lazy-part.tsx';
import { toastsAtom } from '../../platform/toast-state.ts';

const toastList = lazyPart(async () => (await import('./toast-list.tsx')).ToastList);

/** Where toasts appear; their code comes with the first. */
export function ToastRegion() {
  const hasToasts = useAtomValue(toastsAtom).length > 0;
  return (
    hasToasts && (
      <Suspense>
        <toastList.Component />
      </Suspense>
    )
  );
}
