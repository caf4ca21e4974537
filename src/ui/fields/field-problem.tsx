interface FieldProblemProps {
  readonly id: string;
  readonly children: string;
}

/** What is wrong with a field. It is read out as it appears, also if the focus stays in the field. */
export function FieldProblem({ id, children }: FieldProblemProps) {
  return (
    <p id={id} role="alert" className="text-danger">
      {children}
    </p>
  );
}
