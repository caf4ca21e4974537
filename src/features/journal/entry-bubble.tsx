import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import type { EntryRow } from '../../../schemas/document.ts';
import { classNames } from '../../lib/class-names.ts';
import { EntryContent } from './entry-content.tsx';
import { EntryMark, StateMark } from './entry-mark.tsx';
import { isOfNewerVersion, type EntryState } from './entry-state.ts';
import { EntryTime } from './entry-time.tsx';
import type { OutgoingNote } from './note-writing.ts';

const bubbleStyle =
  'block w-fit max-w-full min-w-16 rounded-2xl rounded-bl-md px-4 py-2.5 text-[1.0625rem] leading-normal';

function toneOf(entry: EntryRow): string {
  return entry.type === 'voice-note' ? 'bg-heather-soft' : 'bg-card';
}

export const EntryBubble = memo(({ entry }: { readonly entry: EntryRow }) => {
  const { id, petId } = entry;
  const style = classNames(bubbleStyle, toneOf(entry));
  return (
    <div className="pb-4">
      {isOfNewerVersion(entry) ? (
        <div className={style}>
          <EntryContent entry={entry} />
        </div>
      ) : (
        <Link
          to="/pets/$petId/notes/$noteId"
          params={{ petId, noteId: id }}
          className={classNames(style, 'transition-colors hover:bg-card-strong')}
        >
          <EntryContent entry={entry} />
        </Link>
      )}
      <Caption time={<EntryTime ms={entry.createdDate} />} mark={<EntryMark entry={entry} />} />
    </div>
  );
});
EntryBubble.displayName = 'EntryBubble';

export function OutgoingBubble({ note }: { readonly note: OutgoingNote }) {
  const state: EntryState = note.isStored ? 'local' : 'saving';
  return (
    <div className="entry-arrives pb-4">
      <div className={classNames(bubbleStyle, 'bg-card')}>
        <p className="break-words whitespace-pre-wrap">{note.text}</p>
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
