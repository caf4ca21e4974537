import type { ReactNode } from 'react';

export interface EmptyStateProps {
  readonly sentence: string;
  readonly picture?: ReactNode;
  /** The one thing to do. */
  readonly children?: ReactNode;
}

export function EmptyState({ sentence, picture, children }: EmptyStateProps) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-5 px-6 py-12 text-center">
      {picture}
      <p className="max-w-[34ch] font-serif text-xl leading-snug text-balance">{sentence}</p>
      {children}
    </div>
  );
}
