import { classNames } from '../lib/dom/class-names.ts';

export function Skeleton({ className }: { readonly className: string }) {
  return <div aria-hidden="true" className={classNames('skeleton', className)} />;
}
