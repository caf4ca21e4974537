import { Suspense } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';

interface NoteTextProps {
  readonly text: string;
}

function PlainText({ text }: NoteTextProps) {
  return text;
}

/** Few notes have links. Without its code they are read all the same. */
const linkedText = lazyPart<NoteTextProps>(async () => {
  try {
    return (await import('./linked-text.tsx')).LinkedText;
  } catch {
    return PlainText;
  }
});

export function mayHaveLinks(text: string): boolean {
  return /https?:\/\//i.test(text);
}

/** What a person or a machine wrote, with its web addresses as links. */
export function NoteText({ text }: NoteTextProps) {
  if (!mayHaveLinks(text)) return text;
  return (
    <Suspense fallback={text}>
      <linkedText.Component text={text} />
    </Suspense>
  );
}
