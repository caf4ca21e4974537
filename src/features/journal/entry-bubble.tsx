import { Link } from '@tanstack/react-router';
import { memo, useId, type ReactNode } from 'react';
import type { EntryRow } from '../../../schemas/document.ts';
import { classNames } from '../../lib/class-names.ts';
import { shortText } from '../../lib/short-text.ts';
import { EntryContent } from './entry-content.tsx';
import { EntryMark, StateMark } from './entry-mark.tsx';
import { isOfNewerVersion, type EntryState } from './entry-state.ts';
import { EntryTime } from './entry-time.tsx';
import { mayHaveLinks } from './note-text.tsx';
import type { OutgoingNote } from './note-writing.ts';

const bubbleStyle =
  'block w-fit max-w-full min-w-16 rounded-2xl rounded-bl-md px-4 py-2.5 text-[1.0625rem] leading-normal';

const shown = { maxLength: 600, maxLines: 12 };

const moreStyle = 'flex min-h-11 w-fit items-center font-semibold underline underline-offset-4';

function toneOf(entry: EntryRow): string {
  return entry.type === 'voice-note' ? 'bg-heather-soft' : 'bg-card';
}

/** What a bubble says of a text that it does not show all of, or that leads elsewhere itself; null for most. */
function moreWords(text: string, short: string): string | null {
  if (short !== text) return 'Show all';
  return mayHaveLinks(text) ? 'Open' : null;
}

export const EntryBubble = memo(({ entry }: { readonly entry: EntryRow }) => (
  <div className="pb-4">
    <Bubble entry={entry} />
    <Caption time={<EntryTime ms={entry.createdDate} />} mark={<EntryMark entry={entry} />} />
  </div>
));
EntryBubble.displayName = 'EntryBubble';

/** A link to the entry as a whole; where there are links in it, one that lies under them. */
function Bubble({ entry }: { readonly entry: EntryRow }) {
  const contentId = useId();
  const { id, petId, text = '' } = entry;
  const style = classNames(bubbleStyle, toneOf(entry));
  if (isOfNewerVersion(entry)) {
    return (
      <div className={style}>
        <EntryContent entry={entry} />
      </div>
    );
  }
  const short = shortText(text, shown);
  const more = moreWords(text, short);
  const target = {
    to: '/pets/$petId/notes/$noteId',
    params: { petId, noteId: id },
  } as const;
  if (more === null) {
    return (
      <Link {...target} className={classNames(style, 'transition-colors hover:bg-card-strong')}>
        <EntryContent entry={entry} />
      </Link>
    );
  }
  return (
    <div className={classNames(style, 'relative pb-0! transition-colors hover:bg-card-strong')}>
      <div id={contentId}>
        <EntryContent entry={entry} text={short} />
      </div>
      <Link
        {...target}
        aria-describedby={contentId}
        className={classNames(moreStyle, 'after:absolute after:inset-0 after:rounded-2xl')}
      >
        {more}
      </Link>
    </div>
  );
}

export function OutgoingBubble({ note }: { readonly note: OutgoingNote }) {
  const state: EntryState = note.isStored ? 'local' : 'saving';
  const short = shortText(note.text, shown);
  const more = moreWords(note.text, short);
  return (
    <div className="entry-arrives pb-4">
      <div className={classNames(bubbleStyle, 'bg-card', more !== null && 'pb-0!')}>
        <p dir="auto" className="break-words whitespace-pre-wrap">
          {short}
        </p>
        {more !== null && (
          <p aria-hidden className={classNames(moreStyle, 'invisible')}>
            {more}
          </p>
        )}
      </div>
      <Caption time={<EntryTime ms={note.sentMs} />} mark={<StateMark state={state} />} />
    </div>
  );
}

function Caption({ time, mark }: { readonly time: ReactNode; readonly mark: ReactNode }) {
  return (
    <div className="mt-1 flex items-center gap-2 px-1 text-ink-soft tabular-nums">
      {time}
      {mark}
    </div>
  );
}
