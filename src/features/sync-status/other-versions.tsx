import { useMemo } from 'react';
import { commandErrorCopy } from '../../data/commands/commands.ts';
import { useData } from '../../data/data-context.ts';
import { useLive } from '../../lib/async/live.ts';
import { useAction } from '../../lib/react/use-action.ts';
import { ExportUnsent } from './export-unsent.tsx';
import { hasFile } from './sheet-item.tsx';
import { VersionSection } from './version-section.tsx';

/** The conflict versions of one document, on its own page. The Sync sheet lists those of all documents. */
export function OtherVersions({ documentId }: { readonly documentId: string }) {
  const { queries } = useData();
  const versions = useLive(useMemo(() => queries.otherVersions(documentId), [queries, documentId]));
  const pets = useLive(useMemo(() => queries.pets(), [queries]));
  const action = useAction(commandErrorCopy);
  if (versions === undefined || pets === undefined) return null;
  return (
    <>
      <VersionSection versions={versions} pets={pets} action={action} level="h2" />
      <p role="status" className="mt-2 text-ink-soft empty:sr-only">
        {action.done}
      </p>
      <ExportUnsent isOffered={versions.some(({ fields }) => hasFile(fields))} />
    </>
  );
}
