import { useId, type ComponentProps } from 'react';
import { classNames } from '../../lib/dom/class-names.ts';

export interface TextAreaFieldProps extends Omit<ComponentProps<'textarea'>, 'value'> {
  readonly label: string;
  readonly value: string;
  /** The maximum number of characters, for the counter. */
  readonly limit: number;
  readonly problem?: string | undefined;
  /** A hint that does not block the form. */
  readonly hint?: string | undefined;
}

const inThousands = new Intl.NumberFormat('en-GB');

export function TextAreaField(props: TextAreaFieldProps) {
  const { label, value, limit, problem, hint, className, ...rest } = props;
  const id = useId();
  const isOver = value.length > limit;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <textarea
        id={id}
        dir="auto"
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-says ${id}-count`}
        className={classNames(
          'w-full resize-y rounded-card border bg-paper px-4 py-3 text-[1.0625rem] leading-normal wrap-anywhere text-ink',
          problem === undefined ? 'border-field-line' : 'border-danger',
          className,
        )}
        {...rest}
      />
      <div className="flex items-start justify-between gap-4">
        <p
          id={`${id}-says`}
          aria-live="polite"
          className={problem === undefined ? '' : 'text-danger'}
        >
          {problem ?? hint}
        </p>
        <p
          id={`${id}-count`}
          className={classNames('flex-none tabular-nums', isOver ? 'text-danger' : 'text-ink-soft')}
        >
          {inThousands.format(value.length)} / {inThousands.format(limit)}
          <span className="sr-only"> characters</span>
        </p>
      </div>
    </div>
  );
}
