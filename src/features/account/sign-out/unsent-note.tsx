import { Button } from '../../../ui/button.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import type { UnsentView } from './use-unsent.ts';

/** Lists the unsent work before it is erased, and offers it as a file. */
export function UnsentNote({ words, exporting }: UnsentView) {
  const { status, problem, start } = exporting;
  if (words === null || words === '') return null;
  return (
    <div className="mt-4 flex flex-col items-start gap-3 rounded-card bg-bracken-soft px-4 py-3">
      <p>{`On this device only: ${words}. It goes too, unless you export it first.`}</p>
      {problem !== null && <ProblemNote>{problem}</ProblemNote>}
      <p role="status" className="text-ink-soft empty:sr-only">
        {status}
      </p>
      <Button onClick={start}>Export</Button>
    </div>
  );
}
