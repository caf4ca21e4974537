import { useId, type ComponentProps } from 'react';
import { classNames } from '../lib/class-names.ts';

export interface TextFieldProps extends ComponentProps<'input'> {
  readonly label: string;
  readonly problem?: string | undefined;
}

export function TextField({ label, problem, className, ...rest }: TextFieldProps) {
  const id = useId();
  const problemId = `${id}-problem`;
  const hasProblem = problem !== undefined;
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <input
        id={id}
        aria-invalid={hasProblem}
        aria-describedby={hasProblem ? problemId : undefined}
        className={classNames(
          'min-h-12 w-full rounded-card border bg-paper px-4 text-base text-ink',
          hasProblem ? 'border-danger' : 'border-field-line',
        )}
        {...rest}
      />
      {hasProblem && (
        <p id={problemId} className="text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}
