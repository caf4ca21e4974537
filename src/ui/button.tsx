import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../lib/dom/class-names.ts';
import { useAsking } from '../lib/react/use-asking.ts';
import { buttonStyle, type ButtonKind } from './button-style.ts';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: ButtonKind;
}

/** A button. With `aria-disabled` a press does nothing, and it keeps the focus, unlike with `disabled`. */
export function Button({
  kind = 'quiet',
  className,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(buttonStyle(kind), className)}
      onClick={rest['aria-disabled'] === true ? undefined : onClick}
      {...rest}
    />
  );
}

export interface AskingButtonProps extends Omit<ButtonProps, 'onClick' | 'onBlur'> {
  /** The label before the first press, such as "Discard". */
  readonly label: string;
  /** Text after the label, such as a part that only screen readers read. */
  readonly children?: ReactNode;
  /** Does it, after the second press. */
  readonly onConfirm: () => void;
}

/** A button that asks for a second press, as in "Really discard"; see {@link useAsking}. */
export function AskingButton(props: AskingButtonProps) {
  const { label, onConfirm, kind = 'quiet', children, ...rest } = props;
  const { isAsking, handlers } = useAsking(onConfirm);
  return (
    <Button kind={isAsking ? 'danger' : kind} {...rest} {...handlers}>
      {isAsking ? `Really ${label.charAt(0).toLowerCase()}${label.slice(1)}` : label}
      {children}
    </Button>
  );
}
