import { useMemo, useState, type ComponentType, type ReactNode } from 'react';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { commandErrorCopy, type UndoDelete } from '../../../data/commands/commands.ts';
import { useData } from '../../../data/data-context.ts';
import { editDrafts } from '../../../data/edit-draft.ts';
import { eraseDrafts, writeDraft } from '../../../lib/draft.ts';
import { useDocumentTitle } from '../../../lib/dom/document-title.ts';
import { useLive } from '../../../lib/async/live.ts';
import { useToasts, type ToastRequest } from '../../../platform/toasts.ts';
import { showUndo } from '../../../platform/undo-toast.tsx';
import { forgetEntry } from './forget-entry.ts';
import { MissingNote, NoteSkeleton } from './missing-note.tsx';
import { NoteView, type NoteVoice } from './note-view.tsx';

export interface NotePageProps {
  readonly petId: string;
  readonly noteId: string;
  readonly voice: NoteVoice;
  /** The conflict versions of the note. */
  readonly Versions: ComponentType<{ readonly documentId: string }>;
  /** Navigates back after the deletion. */
  readonly onDeleted: () => Promise<void>;
  /** The dog that the note is about. */
  readonly children: ReactNode;
}

/**
 * Offers to undo the deletion of an entry, in a toast that stays over navigations. The drafts of its new text go with
 * the entry, and come back with it. If it fails, it is offered again.
 */
function useOfferUndo(): (entry: Entry, undo: UndoDelete) => void {
  const { uid } = useData();
  const toasts = useToasts();
  return (entry, undo) => {
    const drafts = editDrafts(entry);
    const kept = eraseDrafts(uid, drafts);
    const takeBack = async (): Promise<void> => {
      try {
        const back = editDrafts({ ...entry, id: await undo() });
        for (const [name, text] of kept) {
          writeDraft({ owner: uid, name: back + name.slice(drafts.length) }, text);
        }
      } catch (error) {
        offer(commandErrorCopy(error), { variant: 'error', durationMs: 0 });
      }
    };
    const offer = (message: string, how?: Partial<ToastRequest>): void => {
      showUndo(toasts, { message, onUndo: () => void takeBack(), ...how });
    };
    offer('Entry deleted');
  };
}

export function NotePage(props: NotePageProps) {
  const { petId, noteId, voice, Versions, onDeleted, children } = props;
  const { visit, queries, commands } = useData();
  const live = useMemo(() => queries.entry(petId, noteId), [queries, petId, noteId]);
  const found = useLive(live);
  const offerUndo = useOfferUndo();
  /** The entry stays on screen until the navigation away ends. */
  const [deleted, setDeleted] = useState<Entry | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useDocumentTitle('Note');

  const remove = async (entry: Entry): Promise<void> => {
    if (deleted !== null) return;
    setDeleted(entry);
    try {
      offerUndo(entry, await (await commands()).deleteEntry(entry.id));
      forgetEntry(visit, entry.id);
      await onDeleted();
    } catch (error) {
      setDeleted(null);
      setProblem(commandErrorCopy(error));
    }
  };

  const entry = deleted ?? found;
  if (entry === undefined) return <NoteSkeleton />;
  if (entry === null) return <MissingNote petId={petId} noteId={noteId} />;
  return (
    <NoteView
      entry={entry}
      isDeleted={deleted !== null}
      problem={problem}
      pet={children}
      voice={voice}
      versions={<Versions documentId={noteId} />}
      onDelete={() => void remove(entry)}
    />
  );
}
