import { useMemo, useRef, useState, type ReactNode } from 'react';
import * as v from 'valibot';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { noteTextSchema } from '../../../../schemas/documents/journal-entry.ts';
import { noteTextMaxLength } from '../../../../schemas/limits.ts';
import { noteRequired } from '../../../../schemas/copy/form-copy.ts';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import { useData } from '../../../data/data-context.ts';
import { editDraft, overNewer, textOf } from '../../../data/edit-draft.ts';
import { caretToEnd } from '../../../lib/dom/caret-to-end.ts';
import { useLive } from '../../../lib/async/live.ts';
import { useKeptText } from '../../../lib/react/use-kept-text.ts';
import { useSaveOnce } from '../../../lib/react/use-save-once.ts';
import { newId } from '../../../platform/new-id.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FormPage } from '../../../ui/fields/form-page.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { TextAreaField } from '../../../ui/fields/text-area-field.tsx';
import { isOfNewerVersion, ofNewerVersion } from '../entry/entry-state.ts';
import { MissingNote, NoteSkeleton } from './missing-note.tsx';

export interface EditNotePageProps {
  readonly petId: string;
  readonly noteId: string;
  /** Navigates back to the note after the save. */
  readonly onSaved: () => Promise<void>;
  /** Navigates away after a new note has replaced a deleted one. */
  readonly onReplaced: () => Promise<void>;
  /** The dog that the note is about. */
  readonly children: ReactNode;
}

export function EditNotePage({ petId, noteId, children, ...leaving }: EditNotePageProps) {
  const { queries } = useData();
  const found = useLive(useMemo(() => queries.entry(petId, noteId), [queries, petId, noteId]));
  /** The note as it was last seen. It stays if another device deletes the note meanwhile. */
  const [seen, setSeen] = useState<Entry | null>(null);
  if (found && found !== seen) setSeen(found);

  const entry = found ?? seen;
  if (entry === null)
    return found === null ? <MissingNote petId={petId} noteId={noteId} /> : <NoteSkeleton />;
  if (isOfNewerVersion(entry)) return <EmptyState sentence={`${ofNewerVersion}.`} />;
  return (
    <EditNoteForm entry={entry} isGone={found === null} {...leaving}>
      {children}
    </EditNoteForm>
  );
}

interface EditNoteFormProps extends Omit<EditNotePageProps, 'petId' | 'noteId'> {
  readonly entry: Entry;
  readonly isGone: boolean;
}

function EditNoteForm(props: EditNoteFormProps) {
  const { entry, isGone, onSaved, onReplaced, children } = props;
  const { uid, commands } = useData();
  const saving = useSaveOnce(commandErrorCopy);
  const boxRef = useRef<HTMLTextAreaElement>(null);
  const { text, isOverNewer, change, forget } = useKeptText(
    (over) => editDraft(uid, entry, over),
    textOf(entry),
    isGone,
  );
  /** The id of the note that replaces a deleted one. It stays the same for the whole visit, so that a retry is idempotent. */
  const [idInstead] = useState(newId);
  const [problem, setProblem] = useState<string>();

  const store = async (checked: string): Promise<void> => {
    const {
      petId,
      fields: { createdDate = 0 },
    } = entry;
    const loaded = await commands();
    if (isGone) await loaded.addNote({ id: idInstead, petId, text: checked, createdDate });
    else await loaded.editText(entry.id, checked);
  };

  const save = (): void => {
    const checked = v.safeParse(noteTextSchema, text);
    if (!checked.success) {
      setProblem(text.trim() === '' ? noteRequired : checked.issues[0].message);
      boxRef.current?.focus();
      return;
    }
    saving.run(async () => {
      await store(checked.output);
      forget(text);
      await (isGone ? onReplaced() : onSaved());
    });
  };

  return (
    <FormPage
      failure={saving.failure}
      submitLabel={isGone ? 'Keep as a new note' : 'Save'}
      onSubmit={save}
    >
      {children}
      {isGone && (
        <ProblemNote>This note was deleted meanwhile. What you wrote is still here.</ProblemNote>
      )}
      {isOverNewer && !isGone && <ProblemNote>{overNewer}</ProblemNote>}
      <TextAreaField
        ref={boxRef}
        label="Note"
        aria-required
        rows={10}
        value={text}
        limit={noteTextMaxLength}
        problem={problem}
        autoFocus
        onFocus={caretToEnd}
        onChange={(event) => {
          change(event.target.value);
          setProblem(undefined);
        }}
      />
    </FormPage>
  );
}
