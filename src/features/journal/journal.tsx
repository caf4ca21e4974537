import { useNavigate } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import NotebookPen from 'lucide-react/icons/notebook-pen';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useData } from '../../data/data-context.ts';
import { whyNotFetched } from '../../data/sync-problem.ts';
import { useFetchedOnce } from '../../data/queries/use-fetched-once.ts';
import { keepCaret } from '../../lib/dom/keep-caret.ts';
import { createStepMemory } from '../../lib/step-memory.ts';
import { newId } from '../../platform/new-id.ts';
import { syncActivityAtom } from '../../platform/auth/session.ts';
import { releaseIdleWork } from '../../platform/when-idle.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotFetchedYet } from '../../ui/not-fetched-yet.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Composer, composerBoxId } from './composer/composer.tsx';
import { createJournalFeed } from './feed/journal-feed.ts';
import { JournalVoiceProvider, type JournalVoice } from './journal-voice.ts';
import { JournalList } from './feed/journal-list.tsx';
import { journalPlace, type JournalPlace } from './feed/journal-places.ts';
import { createNoteWriting, type NoteWriting } from './composer/note-writing.ts';
import { withoutShown } from './composer/outgoing-notes.ts';
import { OtherVersionMarks } from './feed/other-version-mark.tsx';

type PlaceProps = Pick<JournalProps, 'petId' | 'stepKey' | 'at'>;

function usePlace({ petId, stepKey, at }: PlaceProps): JournalPlace {
  const { visit, queries } = useData();
  return useMemo(
    () =>
      journalPlace({ visit, queries }, `${petId} ${stepKey}`, (ranges) =>
        createJournalFeed({
          read: (range, limit) => queries.feed(petId, range, limit),
          keyBefore: (from, count) => queries.feedKeyBefore(petId, from, count),
          at,
          ranges,
        }),
      ),
    [visit, queries, petId, stepKey, at],
  );
}

/** Reads a journal before it is shown, while its dog is read. */
export function useJournalReading(props: PlaceProps): void {
  const { feed } = usePlace(props);
  useEffect(() => feed.subscribe(() => undefined), [feed]);
}

const writings = createStepMemory<NoteWriting>();

/** A step away and back finds the same composer, which may still be storing what was sent. */
function useNoteWriting(petId: string) {
  const { uid, commands, correctedNow } = useData();
  const writing = useMemo(() => {
    const place = { owner: uid, name: petId };
    const known =
      writings.get(commands, petId) ??
      createNoteWriting({ place, commands, newId, now: correctedNow });
    writings.set(commands, petId, known);
    return known;
  }, [uid, commands, correctedNow, petId]);
  return { writing, written: useSyncExternalStore(writing.subscribe, writing.getSnapshot) };
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The key of the history entry that this one has replaced, and whose place it keeps. */
    readonly stepKey?: string;
  }
}

export interface JournalProps {
  readonly petId: string;
  /** The key of the history entry. A step back restores the scroll position. */
  readonly stepKey: string;
  /** The key of the entry at which it opens ({@link feedKey}); null for the newest. */
  readonly at: string | null;
  readonly voice: JournalVoice;
}

/** The entries of one dog, and the box for a new note. */
export function Journal(props: JournalProps) {
  const { petId, stepKey, at, voice } = props;
  const place = usePlace(props);
  const state = useSyncExternalStore(place.feed.subscribe, place.feed.getSnapshot);
  const { writing, written } = useNoteWriting(petId);
  const navigate = useNavigate();
  const boxRef = useRef<HTMLTextAreaElement>(null);
  const [sentCount, setSentCount] = useState(0);
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const [newest] = state.ranges;
  const isLoaded = state.ranges.some(({ rows }) => rows !== null);
  const outgoing = useMemo(
    () => withoutShown(written.outgoing, newest),
    [written.outgoing, newest],
  );
  const isEmpty =
    state.ranges.length > 0 &&
    state.ranges.every((range) => range.rows?.length === 0) &&
    outgoing.length === 0;

  useEffect(() => {
    if (newest !== undefined && newest.rows !== null) writing.settle(newest);
  }, [writing, newest]);

  useEffect(() => {
    if (isLoaded) releaseIdleWork();
  }, [isLoaded]);

  const toNewest = (): void => {
    // This comes first, because a list that renders anew starts at this position.
    place.moveTo(0);
    place.feed.toNewest();
    scroller?.scrollTo({ top: 0 });
    if (at === null) return;
    // A reload would open the former date again.
    const journal = { to: '/pets/$petId/profile', params: { petId } } as const;
    void navigate({ ...journal, state: { stepKey }, replace: true, resetScroll: false });
  };

  const showSent = (): void => {
    toNewest();
    setSentCount((count) => count + 1);
  };

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {!isLoaded && outgoing.length === 0 && (
        <div className="page-column flex min-h-0 flex-1 flex-col">
          <BubbleSkeletons />
        </div>
      )}
      {isEmpty && <EmptyJournal onStart={() => boxRef.current?.focus()} />}
      {!isEmpty && (isLoaded || outgoing.length > 0) && (
        <JournalVoiceProvider value={voice}>
          {/* By keyboard, the entries come before the box. */}
          <BoxLink className="skip-link" onFollow={() => boxRef.current?.focus()}>
            Write a note
          </BoxLink>
          <OtherVersionMarks>
            <JournalList
              key={place.key}
              petId={petId}
              place={place}
              state={state}
              outgoing={outgoing}
              scroller={scroller}
              onScroller={setScroller}
              onNewest={toNewest}
            />
          </OtherVersionMarks>
        </JournalVoiceProvider>
      )}
      <Composer
        boxRef={boxRef}
        text={written.text}
        problem={written.problem}
        canSend={written.text.trim() !== '' || written.isAttached}
        writing={writing}
        onSent={showSent}
        microphone={
          <voice.Composer
            petId={petId}
            canRecord={written.text.trim() === '' && !written.isAttached}
            sentCount={sentCount}
            readText={() => writing.getSnapshot().text}
            onText={(words) => keepCaret(() => writing.add(words))}
            onAttach={writing.attach}
          />
        }
      />
    </div>
  );
}

function EmptyJournal({ onStart }: { readonly onStart: () => void }) {
  const isFetched = useFetchedOnce();
  const problem = whyNotFetched(useAtomValue(syncActivityAtom));
  if (!isFetched) {
    return (
      <div className="page-column flex min-h-0 flex-1 flex-col">
        <NotFetchedYet
          problem={problem}
          waitText="Fetching the journal…"
          skeleton={<BubbleSkeletons />}
        />
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <EmptyState
        sentence="Congratulations, this journal is yours to fill. Begin with how today went."
        picture={<NotebookPen aria-hidden size={48} className="text-moss" />}
      >
        <BoxLink className={buttonStyle('primary')} onFollow={onStart}>
          Get started
        </BoxLink>
      </EmptyState>
    </div>
  );
}

interface BoxLinkProps {
  readonly className: string;
  readonly onFollow: () => void;
  readonly children: string;
}

/** A link to the box for a new note. It adds no history entry. */
function BoxLink({ className, onFollow, children }: BoxLinkProps) {
  return (
    <a
      href={`#${composerBoxId}`}
      className={className}
      onClick={(event) => {
        event.preventDefault();
        onFollow();
      }}
    >
      {children}
    </a>
  );
}

function BubbleSkeletons() {
  return (
    <div
      aria-hidden="true"
      className="flex min-h-0 flex-1 flex-col justify-end gap-6 overflow-hidden pb-4"
    >
      <Skeleton className="h-12 w-3/5 flex-none rounded-2xl" />
      <Skeleton className="h-20 w-4/5 flex-none rounded-2xl" />
      <Skeleton className="h-12 w-2/5 flex-none rounded-2xl" />
    </div>
  );
}
