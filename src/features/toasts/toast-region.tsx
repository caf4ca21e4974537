import { useAtomValue } from 'jotai';
import { Suspense } from 'react';
import { lazyPart } from '../../lib/react/lazy-part.tsx';
import { toastsAtom } from '../../platform/toasts.ts';

const toastList = lazyPart(async () => (await import('./toast-list.lazy.tsx')).ToastList);

/** The region of the toasts, whose code loads with the first one. */
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
