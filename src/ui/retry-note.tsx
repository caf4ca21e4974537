import type { ReactNode } from 'react';
import { keepFocus } from '../lib/dom/keep-focus.ts';
import { Button } from './button.tsx';
import { ProblemNote } from './problem-note.tsx';

export interface RetryNoteProps {
  readonly label?: string;
  readonly onRetry: () => void;
  /** The error message. */
  readonly children: ReactNode;
}

/** An error message with the button that tries again, which an installed app needs, since it has no control to reload. */
export function RetryNote({ label = 'Try again', onRetry, children }: RetryNoteProps) {
  return (
    <div className="grid gap-3 px-4 pt-4">
      <ProblemNote>{children}</ProblemNote>
      <Button ref={keepFocus} onClick={onRetry}>
        {label}
      </Button>
    </div>
  );
}
