import { useId, type ComponentProps } from 'react';
import { classNames } from '../../lib/dom/class-names.ts';
import { FieldProblem } from './field-problem.tsx';

export interface SelectFieldProps extends ComponentProps<'select'> {
  readonly label: string;
  readonly problem?: string | undefined;
}

export function SelectField({ label, problem, children, ...rest }: SelectFieldProps) {
  const id = useId();
  const hasProblem = problem !== undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <select
        id={id}
        aria-invalid={hasProblem}
        aria-describedby={hasProblem ? `${id}-problem` : undefined}
        className={classNames(
          'min-h-12 w-full rounded-card border bg-paper px-3 text-base text-ink',
          hasProblem ? 'border-danger' : 'border-field-line',
        )}
        {...rest}
      >
        {children}
      </select>
      {hasProblem && <FieldProblem id={`${id}-problem`}>{problem}</FieldProblem>}
    </div>
  );
}
