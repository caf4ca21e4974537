import { useId, type ReactNode } from 'react';

export interface SheetSectionProps {
  readonly heading: string;
  /** The element of the heading; h3 under the title of a sheet. */
  readonly level?: 'h2' | 'h3' | undefined;
  /** The buttons that act on all items at once. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function SheetSection({
  heading,
  level: Heading = 'h3',
  action,
  children,
}: SheetSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-6">
      <Heading id={id} className="mb-2 text-lg">
        {heading}
      </Heading>
      <ul role="list" aria-labelledby={id} className="flex flex-col gap-2">
        {children}
      </ul>
      {action}
    </section>
  );
}
