import { useId, type ComponentProps } from 'react';
import { classNames } from '../../lib/dom/class-names.ts';
import { FieldNote } from './field-note.tsx';

export interface SelectFieldProps extends ComponentProps<'select'> {
  readonly label: string;
  readonly problem?: string | undefined;
  /** A sentence that stands where a problem would. */
  readonly hint?: string | undefined;
}

export function SelectField({ label, problem, hint, children, ...rest }: SelectFieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasProblem = problem !== undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <select
        id={id}
        aria-invalid={hasProblem}
        aria-describedby={(problem ?? hint) === undefined ? undefined : noteId}
        className={classNames(
          'min-h-12 w-full rounded-card border bg-paper px-3 text-base text-ink',
          hasProblem ? 'border-danger' : 'border-field-line',
        )}
        {...rest}
      >
        {children}
      </select>
      <FieldNote id={noteId} problem={problem} hint={hint} />
    </div>
  );
}
