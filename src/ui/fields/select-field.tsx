import ChevronDown from 'lucide-react/icons/chevron-down';
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
      <div className="relative flex items-center">
        <select
          id={id}
          aria-invalid={hasProblem}
          aria-describedby={(problem ?? hint) === undefined ? undefined : noteId}
          className={classNames(
            'min-h-12 w-full appearance-none rounded-card border bg-paper pr-10 pl-4 text-base text-ink',
            hasProblem ? 'border-danger' : 'border-field-line',
          )}
          {...rest}
        >
          {children}
        </select>
        <ChevronDown
          aria-hidden
          size={20}
          className="pointer-events-none absolute right-3 text-ink-soft"
        />
      </div>
      <FieldNote id={noteId} problem={problem} hint={hint} />
    </div>
  );
}
