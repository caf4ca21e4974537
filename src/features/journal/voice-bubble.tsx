import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { EntryRow } from '../../../schemas/document.ts';
import { classNames } from '../../lib/class-names.ts';
import { shortText } from '../../lib/short-text.ts';
import { EntryContent } from './entry-content.tsx';
import { useJournalVoice } from './journal-voice.ts';
import { LinkedText } from './linked-text.tsx';
import { plainLimits } from './plain-text.ts';

export interface VoiceBubbleProps {
  readonly entry: EntryRow;
  readonly className: string;
}

/** A voice note that can be heard where it is; its own page is one step further. */
export function VoiceBubble({ entry, className }: VoiceBubbleProps) {
  const { Player } = useJournalVoice();
  const textId = useId();
  const { id, petId, text = '' } = entry;
  return (
    <div className={classNames(className, 'pb-0!')}>
      <div id={textId}>
        <EntryContent entry={entry} player={<Player entry={entry} />}>
          <LinkedText text={shortText(text, plainLimits)} />
        </EntryContent>
      </div>
      <Link
        to="/pets/$petId/notes/$noteId"
        params={{ petId, noteId: id }}
        aria-describedby={textId}
        className="flex min-h-11 w-fit items-center font-semibold underline underline-offset-4"
      >
        Open
      </Link>
    </div>
  );
}
