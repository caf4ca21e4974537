import type { ReactNode } from 'react';

export interface EmptyStateProps {
  readonly sentence: string;
  /** The element of the sentence, if the page or this part of it has no other heading. */
  readonly heading?: 'h1' | 'h2' | 'p';
  readonly picture?: ReactNode;
  /** The one action to offer. */
  readonly children?: ReactNode;
}

export function EmptyState({
  sentence,
  heading: Sentence = 'p',
  picture,
  children,
}: EmptyStateProps) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-5 px-6 py-12 text-center">
      {picture}
      <Sentence className="max-w-[34ch] font-serif text-xl leading-snug font-normal text-balance">
        {sentence}
      </Sentence>
      {children}
    </div>
  );
}
