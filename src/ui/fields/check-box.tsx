import { useId, type ComponentProps, type ReactNode } from 'react';

export interface CheckBoxProps extends Omit<ComponentProps<'input'>, 'type'> {
  readonly label: string;
  readonly hint?: ReactNode;
}

export function CheckBox({ label, hint, ...rest }: CheckBoxProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div>
      <label htmlFor={id} className="flex min-h-11 items-center gap-3 font-semibold">
        <input
          id={id}
          type="checkbox"
          aria-describedby={hint === undefined ? undefined : hintId}
          className="size-6 flex-none accent-moss"
          {...rest}
        />
        {label}
      </label>
      {hint !== undefined && (
        <p id={hintId} className="pl-9 text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  );
}
