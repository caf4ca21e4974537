import type { ReactNode } from 'react';
import type { EntryRow } from '../../../../schemas/documents/document.ts';
import { isOfNewerVersion, ofNewerVersion } from './entry-state.ts';
import { VoiceNoteLine } from '../feed/voice-note-line.tsx';

/** The sentence in place of a text, by how far the words are; '' stands for no sentence. */
const noTextBy: Readonly<Record<string, string>> = {
  none: 'No speech detected',
  failed: 'No text could be made of this recording',
  unheard: '',
  edited: '',
};

const noTextYet = 'AI Generation In Progress';

export interface EntryWordsProps {
  readonly entry: EntryRow;
  /** Its text, where it is more than that. */
  readonly children?: ReactNode;
}

/** The sentence in place of the text of an entry that has none; '' where there is nothing to say. */
export function sentenceFor({ transcript = '' }: EntryRow): string {
  return noTextBy[transcript] ?? noTextYet;
}

/** The text of an entry, or why there is none. */
export function EntryWords({ entry, children }: EntryWordsProps) {
  const { text = '' } = entry;
  const hasText = text !== '';
  const words = hasText ? (children ?? text) : sentenceFor(entry);
  if (words === '') return null;
  return (
    <p dir="auto" className={hasText ? 'break-words whitespace-pre-wrap' : 'text-ink-soft italic'}>
      {words}
    </p>
  );
}

export interface EntryContentProps extends EntryWordsProps {
  /** The recording of a voice note, to be heard. */
  readonly player?: ReactNode;
}

/** What an entry says, whatever its type. */
export function EntryContent({ entry, children, player }: EntryContentProps) {
  if (isOfNewerVersion(entry)) {
    return <p className="text-ink-soft italic">{ofNewerVersion}</p>;
  }
  return (
    <>
      {player ?? (entry.type === 'voice-note' && <VoiceNoteLine durationMs={entry.durationMs} />)}
      <EntryWords entry={entry}>{children}</EntryWords>
    </>
  );
}
