import { useId, type ReactNode } from 'react';

export interface SheetSectionProps {
  readonly heading: string;
  readonly children: ReactNode;
}

export function SheetSection({ heading, children }: SheetSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-6">
      <h3 id={id} className="mb-2 text-lg">
        {heading}
      </h3>
      <ul role="list" aria-labelledby={id} className="flex flex-col gap-2">
        {children}
      </ul>
    </section>
  );
}

export interface SheetItemProps {
  readonly text: string;
  readonly note?: string;
  /** Buttons. */
  readonly children?: ReactNode;
}

export function SheetItem({ text, note, children }: SheetItemProps) {
  return (
    <li className="rounded-card bg-card px-4 py-3">
      <p className="line-clamp-3 break-words">{text}</p>
      {note !== undefined && <p className="text-ink-soft">{note}</p>}
      {children !== undefined && <div className="mt-2 flex flex-wrap gap-2">{children}</div>}
    </li>
  );
}
