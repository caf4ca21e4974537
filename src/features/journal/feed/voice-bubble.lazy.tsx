import { Link } from '@tanstack/react-router';
import { useId, type ReactNode } from 'react';
import { noTextSentence } from '../../../../schemas/copy/entry-copy.ts';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { voiceSentences } from '../../../data/files/voice-copy.ts';
import { classNames } from '../../../lib/dom/class-names.ts';
import { durationText } from '../../../lib/dates/duration-text.ts';
import { shortText } from '../../../lib/text/short-text.ts';
import { EntryWords } from '../entry/entry-content.tsx';
import { useJournalVoice } from '../journal-voice.ts';
import { LinkedText } from '../entry/linked-text.tsx';
import { isPlain, plainLimits } from './plain-text.ts';

export interface VoiceBubbleProps {
  readonly entry: Entry;
  readonly className: string;
}

/** A voice note, which plays in place, and opens like any other entry. */
export function VoiceBubble({ entry, className }: VoiceBubbleProps) {
  const { Player } = useJournalVoice();
  return (
    <div className={classNames(className, 'relative')}>
      {/* The player lies above the control that covers the whole bubble. */}
      <div className="relative z-1 w-fit max-w-full">
        <Player entry={entry} />
      </div>
      {isPlain(entry.fields.text ?? '') ? (
        <PlainWords entry={entry} />
      ) : (
        <LongWords entry={entry} />
      )}
    </div>
  );
}

function PlainWords({ entry }: { readonly entry: Entry }) {
  const {
    fields: { text = '', durationMs = 0, transcript },
  } = entry;
  const isWordless = text === '' && noTextSentence(transcript) === '';
  return (
    <OpenLink entry={entry}>
      <EntryWords entry={entry} />
      {isWordless && <span className="sr-only">{`Voice note, ${durationText(durationMs)}`}</span>}
      {isWordless && transcript === 'unheard' && (
        <>
          {' '}
          <span className="text-ink-soft italic">{voiceSentences.noTexts}</span>
        </>
      )}
    </OpenLink>
  );
}

function LongWords({ entry }: { readonly entry: Entry }) {
  const {
    fields: { text = '' },
  } = entry;
  const textId = useId();
  const short = shortText(text, plainLimits);
  return (
    <>
      <div id={textId}>
        <EntryWords entry={entry}>
          <LinkedText text={short} />
        </EntryWords>
      </div>
      <OpenLink entry={entry} describedBy={textId}>
        <span className="flex min-h-11 w-fit items-center font-semibold underline underline-offset-4">
          {short === text ? 'Open' : 'Show all'}
        </span>
      </OpenLink>
    </>
  );
}

interface OpenLinkProps {
  readonly entry: Entry;
  readonly describedBy?: string;
  readonly children: ReactNode;
}

/** The link covers the bubble, so that a tap anywhere beside the player opens the note. */
function OpenLink({ entry: { id, petId }, describedBy, children }: OpenLinkProps) {
  return (
    <Link
      to="/pets/$petId/notes/$noteId"
      params={{ petId, noteId: id }}
      aria-describedby={describedBy}
      className="block after:absolute after:inset-0 after:rounded-2xl"
    >
      {children}
    </Link>
  );
}
