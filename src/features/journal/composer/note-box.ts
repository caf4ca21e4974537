import type { RefObject } from 'react';
import type { NoteWriting } from './note-writing.ts';

/** The props of a journal's box, small or in full screen. */
export interface NoteBoxProps {
  /** The small box. */
  readonly boxRef: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly problem: string | null;
  /** Whether there is something to send. */
  readonly canSend: boolean;
  readonly writing: Pick<NoteWriting, 'type' | 'send'>;
  /** Called when a text was sent. */
  readonly onSent: () => void;
}
