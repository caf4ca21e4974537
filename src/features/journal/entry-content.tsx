import { Mic } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EntryRow } from '../../../schemas/document.ts';
import { durationText } from '../../lib/duration-text.ts';
import { isOfNewerVersion, ofNewerVersion } from './entry-state.ts';

/** What an entry without text says, by how far its words are. */
const noTextBy: Readonly<Record<string, string>> = {
  none: 'No speech detected',
  failed: 'No text could be made of this recording',
};

const noTextYet = 'AI Generation In Progress';

export interface EntryContentProps {
  readonly entry: EntryRow;
  /** Its text, where it is more than that. */
  readonly children?: ReactNode;
  /** The recording of a voice note, to be heard. */
  readonly player?: ReactNode;
}

/** What an entry says, whatever its type. */
export function EntryContent({ entry, children, player }: EntryContentProps) {
  if (isOfNewerVersion(entry)) {
    return <p className="text-ink-soft italic">{ofNewerVersion}</p>;
  }
  const hasText = entry.text !== undefined && entry.text !== '';
  return (
    <>
      {player ?? (entry.type === 'voice-note' && <VoiceNoteLine durationMs={entry.durationMs} />)}
      <p
        dir="auto"
        className={hasText ? 'break-words whitespace-pre-wrap' : 'text-ink-soft italic'}
      >
        {hasText ? (children ?? entry.text) : (noTextBy[entry.transcript ?? ''] ?? noTextYet)}
      </p>
    </>
  );
}

function VoiceNoteLine({ durationMs }: { readonly durationMs: number | undefined }) {
  return (
    <p className="flex items-center gap-2 font-semibold text-heather">
      <Mic aria-hidden size={18} />
      Voice note
      {durationMs !== undefined && (
        <span className="font-normal tabular-nums">{durationText(durationMs)}</span>
      )}
    </p>
  );
}
