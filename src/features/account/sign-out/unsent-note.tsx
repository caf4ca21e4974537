import { Button } from '../../../ui/button.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { SharedItemsLink } from '../../../ui/leftovers/shared-items-link.tsx';
import type { UnsentView } from './use-unsent.ts';

function lossOf(isExportable: boolean, hasShared: boolean): string {
  if (!isExportable) return 'This is lost.';
  return hasShared
    ? 'This is lost, unless you export it and keep what you shared.'
    : 'This is lost, unless you export it first.';
}

export interface UnsentNoteProps extends UnsentView {
  /** Whether it is being erased. A link would lead away from that. */
  readonly isErasing: boolean;
}

/** Lists the unsent work before it is erased, and offers it as a file. */
export function UnsentNote(props: UnsentNoteProps) {
  const { words, isExportable, hasShared, isErasing, exporting } = props;
  const { status, problem, start } = exporting;
  if (words === null || words === '') return null;
  return (
    <div className="mt-4 flex flex-col items-start gap-3 rounded-card bg-bracken-soft px-4 py-3">
      <p>
        {`On this device only: ${words}. `}
        {lossOf(isExportable, hasShared)}
      </p>
      {problem !== null && <ProblemNote>{problem}</ProblemNote>}
      <p role="status" className="text-ink-soft empty:sr-only">
        {status}
      </p>
      {isExportable && <Button onClick={start}>Export</Button>}
      {hasShared && !isErasing && <SharedItemsLink />}
    </div>
  );
}
