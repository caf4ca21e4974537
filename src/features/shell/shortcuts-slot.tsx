import { useAtom } from 'jotai';
import { Suspense } from 'react';
import { lazyPart } from '../../lib/react/lazy-part.tsx';
import { areShortcutsShownAtom } from '../../lib/react/shortcuts-state.ts';

const list = lazyPart(async () => (await import('./shortcuts-dialog.lazy.tsx')).ShortcutsDialog);

/** Shows the list of keyboard shortcuts on request. */
export function ShortcutsSlot() {
  const [isShown, setIsShown] = useAtom(areShortcutsShownAtom);
  return (
    isShown && (
      <Suspense>
        <list.Component onClose={() => setIsShown(false)} />
      </Suspense>
    )
  );
}
