import type { RefObject } from 'react';

/** The box of a journal, whichever way it is shown. */
export interface NoteBoxProps {
  /** The small one. */
  readonly boxRef: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly problem: string | null;
  /** There is something to send. */
  readonly canSend: boolean;
  readonly onType: (text: string) => void;
  readonly onSend: () => void;
}
