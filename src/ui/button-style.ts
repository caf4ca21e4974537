import { classNames } from '../lib/dom/class-names.ts';

export type ButtonKind = 'primary' | 'quiet' | 'quiet-danger' | 'danger';

const kinds: Readonly<Record<ButtonKind, string>> = {
  primary: 'bg-moss text-on-moss hover:bg-moss-strong',
  quiet: 'bg-card-strong text-ink hover:bg-line',
  'quiet-danger': 'bg-card-strong text-danger hover:bg-line',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong',
};

/** Returns the style of a button, also for links that look like one. */
export function buttonStyle(kind: ButtonKind): string {
  return classNames(
    'inline-flex min-h-11 items-center justify-center gap-2 rounded-full px-5 py-2 text-base font-semibold',
    'transition-colors aria-disabled:opacity-60',
    kinds[kind],
  );
}

export const textLinkStyle =
  'inline-flex min-h-11 items-center font-semibold text-moss underline underline-offset-4';
