import { Link } from '@tanstack/react-router';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { Suspense, useState, type ComponentType, type ReactNode } from 'react';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { useData } from '../../../data/data-context.ts';
import { editDraft, editDrafts, textOf } from '../../../data/edit-draft.ts';
import { readDraft, writeDraft } from '../../../lib/draft.ts';
import { entryTimeText, exactTimeText } from '../../../lib/dates/entry-time-text.ts';
import { keepFocus } from '../../../lib/dom/keep-focus.ts';
import { lazyPart } from '../../../lib/react/lazy-part.tsx';
import { useTimeText } from '../../../lib/dates/now.ts';
import { buttonStyle } from '../../../ui/button-style.ts';
import { AskingButton, Button } from '../../../ui/button.tsx';
import { LeftDrafts } from '../../../ui/leftovers/left-drafts.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { EntryContent } from '../entry/entry-content.tsx';
import { EntryMark } from '../entry/entry-mark.tsx';
import { isOfNewerVersion } from '../entry/entry-state.ts';
import { LinkedText } from '../entry/linked-text.tsx';

const deleteDialog = lazyPart(
  async () => (await import('./delete-note-dialog.lazy.tsx')).DeleteNoteDialog,
);

const formerTexts = lazyPart(async () => (await import('./former-texts.lazy.tsx')).FormerTexts);

/** The components of voice notes that a note needs. The feature of voice notes provides them. */
export interface NoteVoice {
  readonly Player: ComponentType<{ readonly entry: Entry; readonly isDeleted: boolean }>;
  /** The buttons that act on the voice note. */
  readonly Tools: ComponentType<{ readonly entry: Entry }>;
}

export interface NoteViewProps {
  readonly entry: Entry;
  /** Whether the entry is deleted, and stays on screen until the page is left. */
  readonly isDeleted: boolean;
  readonly problem: string | null;
  /** The dog that the note is about. */
  readonly pet: ReactNode;
  readonly voice: NoteVoice;
  /** The conflict versions of the note. */
  readonly versions: ReactNode;
  readonly onDelete: () => void;
}

export function NoteView(props: NoteViewProps) {
  const { entry, isDeleted, problem, pet, voice, versions, onDelete } = props;
  const isKnown = !isOfNewerVersion(entry);
  const isSpoken = entry.fields.type === 'voice-note' && isKnown;
  const [isFormerOpen, setIsFormerOpen] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <article tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
        <div className="page-column pt-3 pb-8 text-[1.125rem] leading-relaxed">
          {pet}
          <p className="mt-3 mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-base text-ink-soft tabular-nums">
            <ExactTime ms={entry.fields.createdDate} />
            <EntryMark entry={entry} isLabelVisible />
            {isKnown && entry.fields.formerTexts !== undefined && (
              <button
                type="button"
                aria-expanded={isFormerOpen}
                aria-label="Edited. Former versions"
                className="-my-2.5 min-h-11 underline underline-offset-4"
                onPointerEnter={formerTexts.preload}
                onFocus={formerTexts.preload}
                onClick={() => setIsFormerOpen(!isFormerOpen)}
              >
                Edited
              </button>
            )}
          </p>
          <EntryContent
            entry={entry}
            player={isSpoken ? <voice.Player entry={entry} isDeleted={isDeleted} /> : undefined}
          >
            <LinkedText text={entry.fields.text ?? ''} />
          </EntryContent>
          {isSpoken && <voice.Tools entry={entry} />}
          {isKnown && !isSpoken && <UnsavedChange entry={entry} />}
          {isKnown && !isSpoken && <LeftEdits key={textOf(entry)} entry={entry} />}
          {isFormerOpen && (
            <Suspense>
              <formerTexts.Component entry={entry} />
            </Suspense>
          )}
          {versions}
        </div>
      </article>
      <div className="page-column flex flex-none flex-col gap-3 pt-2 pb-[max(1rem,env(safe-area-inset-bottom))]">
        {problem !== null && <ProblemNote>{problem}</ProblemNote>}
        {isKnown && (
          <div className="flex flex-wrap gap-3 *:flex-1">
            {!isSpoken && (
              <Link
                to="/pets/$petId/notes/$noteId/action/edit"
                params={{ petId: entry.petId, noteId: entry.id }}
                className={buttonStyle('quiet')}
              >
                <Pencil aria-hidden size={20} />
                Edit
              </Link>
            )}
            <Button
              kind="quiet-danger"
              aria-disabled={isDeleted}
              onPointerEnter={deleteDialog.preload}
              onFocus={deleteDialog.preload}
              onClick={() => setIsAsking(true)}
            >
              <Trash2 aria-hidden size={20} />
              Delete
            </Button>
          </div>
        )}
      </div>
      {isAsking && (
        <Suspense>
          <deleteDialog.Component
            onCancel={() => setIsAsking(false)}
            onDelete={() => {
              setIsAsking(false);
              onDelete();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Tells of an edit that was left without saving. The editor shows it again. */
function UnsavedChange({ entry }: { readonly entry: Entry }) {
  const { uid } = useData();
  const place = editDraft(uid, entry);
  const [isDiscarded, setIsDiscarded] = useState(false);
  if (isDiscarded || readDraft(place) === '') return null;
  const discard = (): void => {
    writeDraft(place, '');
    setIsDiscarded(true);
  };
  return (
    <div ref={keepFocus} className="mt-4 flex flex-col items-start gap-3 text-base text-ink-soft">
      <p>You have changed this text and not saved it yet. It is kept: Edit shows it again.</p>
      <AskingButton label="Discard" onConfirm={discard} />
    </div>
  );
}

/** Shows edits that were begun over an earlier text. */
function LeftEdits({ entry }: { readonly entry: Entry }) {
  const { uid } = useData();
  return (
    <div className="mt-4 text-base empty:hidden">
      <LeftDrafts
        owner={uid}
        name={editDrafts(entry)}
        except={editDraft(uid, entry).name}
        saved={textOf(entry)}
      />
    </div>
  );
}

/** The time of an entry. @param ms as of `EntryTime`. */
function ExactTime({ ms = 0 }: { readonly ms: number | undefined }) {
  const words = useTimeText((nowMs) => entryTimeText(ms, nowMs));
  if (ms === 0) return <span>{words}</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={words}>
      {exactTimeText(ms)}
    </time>
  );
}
