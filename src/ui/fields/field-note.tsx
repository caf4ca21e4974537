import { FieldProblem } from './field-problem.tsx';

interface FieldNoteProps {
  readonly id: string;
  readonly problem: string | undefined;
  /** A sentence that stands where a problem would. */
  readonly hint: string | undefined;
}

/** The problem of a field, or else its hint. */
export function FieldNote({ id, problem, hint }: FieldNoteProps) {
  if (problem !== undefined) return <FieldProblem id={id}>{problem}</FieldProblem>;
  return (
    hint !== undefined && (
      <p id={id} className="text-ink-soft">
        {hint}
      </p>
    )
  );
}
