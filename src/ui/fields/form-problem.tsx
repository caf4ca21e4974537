import type { ReactNode } from 'react';
import { ProblemNote } from '../problem-note.tsx';

function scrollToIt(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

/**
 * The sentence of a failed submit. It scrolls into view when it appears, because on a small screen the button may be
 * far below it.
 */
export function FormProblem({ children }: { readonly children: ReactNode }) {
  return (
    <div ref={scrollToIt} className="scroll-my-4">
      <ProblemNote>{children}</ProblemNote>
    </div>
  );
}
