import { Link } from '@tanstack/react-router';
import { memo, Suspense, type ReactNode } from 'react';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { classNames } from '../../../lib/dom/class-names.ts';
import { lazyPart } from '../../../lib/react/lazy-part.tsx';
import { EntryTime } from '../../../ui/entry-time.tsx';
import { EntryContent } from '../entry/entry-content.tsx';
import { EntryMark, StateMark } from '../entry/entry-mark.tsx';
import { isOfNewerVersion, type EntryState } from '../entry/entry-state.ts';
import type { OutgoingNote } from '../composer/outgoing-notes.ts';
import { OtherVersionMark } from './other-version-mark.tsx';
import { isPlain } from './plain-text.ts';

const bubbleStyle =
  'block w-fit max-w-full min-w-16 rounded-2xl rounded-bl-md px-4 py-2.5 text-[1.0625rem] leading-normal';

const richBubble = lazyPart(async () => (await import('./rich-bubble.lazy.tsx')).RichBubble);

const voiceBubble = lazyPart(async () => (await import('./voice-bubble.lazy.tsx')).VoiceBubble);

/** About as high as the content that replaces it, to within one line. */
const foldedStyle = 'mb-8.5 line-clamp-12';

function toneOf(entry: Entry): string {
  return entry.fields.type === 'voice-note' ? 'bg-heather-soft' : 'bg-card';
}

export const EntryBubble = memo(({ entry }: { readonly entry: Entry }) => (
  <div className="pb-4">
    <Bubble entry={entry} />
    <Caption time={<EntryTime ms={entry.fields.createdDate} />} mark={<EntryMark entry={entry} />}>
      {entry.fields.formerTexts !== undefined && <span>Edited</span>}
      {entry.fields.transcript === 'rough' && <span>Rough text</span>}
      <OtherVersionMark entry={entry} />
    </Caption>
  </div>
));
EntryBubble.displayName = 'EntryBubble';

function Bubble({ entry }: { readonly entry: Entry }) {
  const {
    id,
    petId,
    fields: { text = '' },
  } = entry;
  const style = classNames(bubbleStyle, toneOf(entry));
  const isKnown = !isOfNewerVersion(entry);
  const isSpoken = entry.fields.type === 'voice-note';
  if (!isKnown || isSpoken || !isPlain(text)) {
    const content = (
      <div className={style}>
        <EntryContent entry={entry}>
          <FoldedText text={text} />
        </EntryContent>
      </div>
    );
    if (!isKnown) return content;
    const Rich = (isSpoken ? voiceBubble : richBubble).Component;
    return (
      <Suspense fallback={content}>
        <Rich entry={entry} className={style} />
      </Suspense>
    );
  }
  return (
    <Link
      to="/pets/$petId/notes/$noteId"
      params={{ petId, noteId: id }}
      className={classNames(style, 'transition-colors hover:bg-card-strong')}
    >
      <EntryContent entry={entry} />
    </Link>
  );
}

function FoldedText({ text }: { readonly text: string }) {
  return isPlain(text) ? text : <span className={foldedStyle}>{text}</span>;
}

export function OutgoingBubble({ note }: { readonly note: OutgoingNote }) {
  const state: EntryState = note.isStored ? 'local' : 'saving';
  return (
    <div className="entry-arrives pb-4">
      <div className={classNames(bubbleStyle, 'bg-card')}>
        <p dir="auto" className="break-words whitespace-pre-wrap">
          <FoldedText text={note.text} />
        </p>
      </div>
      <Caption time={<EntryTime ms={note.sentMs} />} mark={<StateMark state={state} />} />
    </div>
  );
}

interface CaptionProps {
  readonly time: ReactNode;
  readonly mark: ReactNode;
  readonly children?: ReactNode;
}

function Caption({ time, mark, children }: CaptionProps) {
  return (
    <div className="mt-1 flex items-center gap-2 px-1 text-ink-soft tabular-nums">
      {time}
      {children}
      {mark}
    </div>
  );
}
