interface FieldProblemProps {
  readonly id: string;
  readonly children: string;
}

/** The problem of a field. Screen readers announce it when it appears, even if the focus stays in the field. */
export function FieldProblem({ id, children }: FieldProblemProps) {
  return (
    <p id={id} role="alert" className="text-danger">
      {children}
    </p>
  );
}
