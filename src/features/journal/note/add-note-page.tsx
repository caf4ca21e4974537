import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import * as v from 'valibot';
import { noteTextSchema } from '../../../../schemas/documents/journal-entry.ts';
import { shortNoteMaxLength } from '../../../../schemas/limits.ts';
import { noteRequired } from '../../../../schemas/copy/form-copy.ts';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import { useData } from '../../../data/data-context.ts';
import { caretToEnd } from '../../../lib/dom/caret-to-end.ts';
import { readDraft, watchDraft, writeDraft } from '../../../lib/draft.ts';
import { useSaveOnce } from '../../../lib/react/use-save-once.ts';
import { useSaveSignal } from '../../../lib/react/use-save-signal.ts';
import { newId } from '../../../platform/new-id.ts';
import { FormPage } from '../../../ui/fields/form-page.tsx';
import { TextAreaField } from '../../../ui/fields/text-area-field.tsx';

export interface AddNotePageProps {
  readonly petId: string;
  /** Navigates away after the save. */
  readonly onSaved: () => Promise<void>;
  /** The dog that the note is about. */
  readonly children: ReactNode;
}

const cutOff = 'Only the beginning fits here. The box under the journal takes longer notes.';

/** Whether a box has no room for all of a text that comes in place of its selection. */
function isTooMuch(box: HTMLTextAreaElement, text: string): boolean {
  const { value, selectionStart, selectionEnd } = box;
  const added = text.replaceAll('\r\n', '\n').length - (selectionEnd - selectionStart);
  return value.length + added > shortNoteMaxLength;
}

export function AddNotePage({ petId, onSaved, children }: AddNotePageProps) {
  const { uid, commands } = useData();
  const place = useMemo(() => ({ owner: uid, name: `${petId}.add-note` }), [uid, petId]);
  const saving = useSaveOnce(commandErrorCopy);
  const boxRef = useRef<HTMLTextAreaElement>(null);
  /** The id stays the same for the whole visit, so that a retry of an interrupted save is idempotent. */
  const [id] = useState(newId);
  const [text, setText] = useState(() => readDraft(place).slice(0, shortNoteMaxLength));
  const [problem, setProblem] = useState<string>();
  const [hint, setHint] = useState<string>();

  useEffect(() => watchDraft(place, setText), [place]);

  const save = (): void => {
    const checked = v.safeParse(noteTextSchema, text);
    setProblem(checked.success ? undefined : noteRequired);
    if (!checked.success) {
      boxRef.current?.focus();
      return;
    }
    saving.run(async () => {
      await (await commands()).addNote({ id, petId, text: checked.output });
      // More may have been typed meanwhile.
      const draft = readDraft(place);
      if (draft.startsWith(text)) writeDraft(place, draft.slice(text.length).trimStart());
      await onSaved();
    });
  };

  useSaveSignal(save);

  const warn = (box: HTMLTextAreaElement, inserted: string): void => {
    if (isTooMuch(box, inserted)) setHint(cutOff);
  };

  return (
    <FormPage failure={saving.failure} submitLabel="Save note" onSubmit={save}>
      {children}
      <TextAreaField
        ref={boxRef}
        label="Note"
        aria-required
        rows={6}
        value={text}
        limit={shortNoteMaxLength}
        maxLength={shortNoteMaxLength}
        problem={problem}
        hint={hint}
        autoFocus
        onFocus={caretToEnd}
        onPaste={(event) => {
          setHint(undefined);
          warn(event.currentTarget, event.clipboardData.getData('text'));
        }}
        // A keyboard can insert many words at once, as with voice typing.
        onBeforeInput={(event) => warn(event.currentTarget, event.data)}
        onChange={(event) => {
          const { value } = event.target;
          const { length } = value;
          setText(value);
          writeDraft(place, value);
          setProblem(undefined);
          // A composed text, as from voice typing, is cut off only at the end of its composition.
          if (length !== shortNoteMaxLength) {
            setHint(length > shortNoteMaxLength ? cutOff : undefined);
          }
        }}
      />
    </FormPage>
  );
}
