import type { ReactNode } from 'react';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { isOfNewerVersion, ofNewerVersion } from './entry-state.ts';
import { VoiceNoteLine } from '../feed/voice-note-line.tsx';

/** The sentences in place of a text, by the state of the transcript; '' stands for no sentence. */
const noTextBy: Readonly<Record<string, string>> = {
  none: 'No speech detected',
  failed: 'No text could be made of this recording',
  unheard: '',
  edited: '',
};

const noTextYet = 'AI Generation In Progress';

export interface EntryWordsProps {
  readonly entry: Entry;
  /** The rendered text, if it is more than plain text. */
  readonly children?: ReactNode;
}

/** Returns the sentence in place of the text of an entry that has none; '' if there is nothing to say. */
export function sentenceFor({ fields: { transcript = '' } }: Entry): string {
  return noTextBy[transcript] ?? noTextYet;
}

/** The text of an entry, or the reason why there is none. */
export function EntryWords({ entry, children }: EntryWordsProps) {
  const {
    fields: { text = '' },
  } = entry;
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
  /** The player of a voice note's recording. */
  readonly player?: ReactNode;
}

/** The content of an entry of any type. */
export function EntryContent({ entry, children, player }: EntryContentProps) {
  if (isOfNewerVersion(entry)) {
    return <p className="text-ink-soft italic">{ofNewerVersion}</p>;
  }
  return (
    <>
      {player ??
        (entry.fields.type === 'voice-note' && (
          <VoiceNoteLine durationMs={entry.fields.durationMs} />
        ))}
      <EntryWords entry={entry}>{children}</EntryWords>
    </>
  );
}
