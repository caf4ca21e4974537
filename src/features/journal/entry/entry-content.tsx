import type { ReactNode } from 'react';
import { noTextSentence } from '../../../../schemas/copy/entry-copy.ts';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { isOfNewerVersion, ofNewerVersion } from './entry-state.ts';
import { VoiceNoteLine } from '../feed/voice-note-line.tsx';

export interface EntryWordsProps {
  readonly entry: Entry;
  /** The rendered text, if it is more than plain text. */
  readonly children?: ReactNode;
}

/** The text of an entry, or the reason why there is none. */
export function EntryWords({ entry, children }: EntryWordsProps) {
  const {
    fields: { text = '', transcript },
  } = entry;
  const hasText = text !== '';
  const words = hasText ? (children ?? text) : noTextSentence(transcript);
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
