import { useId, type ReactNode } from 'react';

export interface SheetSectionProps {
  readonly heading: string;
  /** The buttons that act on all items at once. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function SheetSection({ heading, action, children }: SheetSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-6">
      <h3 id={id} className="mb-2 text-lg">
        {heading}
      </h3>
      <ul role="list" aria-labelledby={id} className="flex flex-col gap-2">
        {children}
      </ul>
      {action}
    </section>
  );
}
