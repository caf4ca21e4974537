import type { ComponentProps } from 'react';
import { classNames } from '../lib/dom/class-names.ts';
import { buttonStyle, type ButtonKind } from './button-style.ts';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: ButtonKind;
}

export function Button({ kind = 'quiet', className, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={classNames(buttonStyle(kind), className)} {...rest} />;
}
