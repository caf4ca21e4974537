import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from '../lib/dom/class-names.ts';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  readonly label: string;
  readonly icon: LucideIcon;
}

export function IconButton({ label, icon: Icon, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classNames(
        'inline-flex size-11 flex-none items-center justify-center rounded-full text-ink',
        'transition-colors hover:bg-card-strong',
        className,
      )}
      {...rest}
    >
      <Icon aria-hidden size={24} />
    </button>
  );
}
