import { useExport } from '../../data/transfer/use-export.ts';
import { saveFile } from '../../platform/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { keepFocus } from '../../lib/dom/keep-focus.ts';

export interface ExportUnsentProps {
  /** Whether there is something to export. The outcome stays after it has been sent. */
  readonly isOffered: boolean;
}

/** Exports all unsent data and other versions, with their recordings and pictures. */
export function ExportUnsent({ isOffered }: ExportUnsentProps) {
  const { status, problem, start } = useExport({ kind: 'unsent' }, saveFile);
  return (
    <>
      <p role="status" className="mt-6 text-ink-soft empty:sr-only">
        {status}
      </p>
      {problem !== null && <ProblemNote>{problem}</ProblemNote>}
      {isOffered && (
        <Button ref={keepFocus} className="mt-4" onClick={start}>
          Export unsent
        </Button>
      )}
    </>
  );
}
