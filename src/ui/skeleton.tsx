import { classNames } from '../lib/class-names.ts';

export function Skeleton({ className }: { readonly className: string }) {
  return <div aria-hidden="true" className={classNames('skeleton', className)} />;
}
