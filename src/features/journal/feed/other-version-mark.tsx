import { createContext, Suspense, useContext, useMemo, type ReactNode } from 'react';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { useData } from '../../../data/data-context.ts';
import { lazyPart } from '../../../lib/react/lazy-part.tsx';
import { useLive } from '../../../lib/async/live.ts';

const link = lazyPart(
  async () => (await import('../note/other-version-link.lazy.tsx')).OtherVersionLink,
);

const none: ReadonlySet<string> = new Set();
const IdsContext = createContext(none);

/** Reads once which entries of a journal have conflict versions. */
export function OtherVersionMarks({ children }: { readonly children: ReactNode }) {
  const { queries } = useData();
  const ids = useLive(useMemo(() => queries.idsWithOtherVersions(), [queries]));
  return <IdsContext value={ids ?? none}>{children}</IdsContext>;
}

/** A link to the conflict versions of an entry, if it has any. Its code loads with the first one. */
export function OtherVersionMark({ entry }: { readonly entry: Entry }) {
  if (!useContext(IdsContext).has(entry.id)) return null;
  return (
    <Suspense>
      <link.Component entry={entry} />
    </Suspense>
  );
}
