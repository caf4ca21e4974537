import { useId, type ComponentProps, type ReactNode } from 'react';
import { classNames } from '../../lib/dom/class-names.ts';
import { FieldNote } from './field-note.tsx';

export interface TextFieldProps extends ComponentProps<'input'> {
  readonly label: string;
  readonly problem?: string | undefined;
  /** A sentence that stands where a problem would. */
  readonly hint?: string | undefined;
  /** A button at the end of the field. */
  readonly end?: ReactNode;
}

export function TextField({ label, problem, hint, end, className, ...rest }: TextFieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasProblem = problem !== undefined;
  const hasEnd = end !== undefined && end !== false;
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          aria-invalid={hasProblem}
          aria-describedby={(problem ?? hint) === undefined ? undefined : noteId}
          className={classNames(
            'min-h-12 w-full rounded-card border bg-paper text-base text-ink',
            hasEnd ? 'pr-13 pl-4' : 'px-4',
            hasProblem ? 'border-danger' : 'border-field-line',
          )}
          {...rest}
        />
        {hasEnd && <div className="absolute inset-y-0 right-0.5 flex items-center">{end}</div>}
      </div>
      <FieldNote id={noteId} problem={problem} hint={hint} />
    </div>
  );
}
