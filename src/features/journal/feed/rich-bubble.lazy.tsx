import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { classNames } from '../../../lib/dom/class-names.ts';
import { shortText } from '../../../lib/text/short-text.ts';
import { EntryContent } from '../entry/entry-content.tsx';
import { LinkedText } from '../entry/linked-text.tsx';
import { plainLimits } from './plain-text.ts';

export interface RichBubbleProps {
  readonly entry: Entry;
  readonly className: string;
}

/** A bubble with links, or whose text is truncated. The control that opens the note lies below them. */
export function RichBubble({ entry, className }: RichBubbleProps) {
  const contentId = useId();
  const {
    id,
    petId,
    fields: { text = '' },
  } = entry;
  const short = shortText(text, plainLimits);
  return (
    <div className={classNames(className, 'relative pb-0! transition-colors hover:bg-card-strong')}>
      <div id={contentId}>
        <EntryContent entry={entry}>
          <LinkedText text={short} />
        </EntryContent>
      </div>
      <Link
        to="/pets/$petId/notes/$noteId"
        params={{ petId, noteId: id }}
        aria-describedby={contentId}
        className="flex min-h-11 w-fit items-center font-semibold underline underline-offset-4 after:absolute after:inset-0 after:rounded-2xl"
      >
        {short === text ? 'Open' : 'Show all'}
      </Link>
    </div>
  );
}
