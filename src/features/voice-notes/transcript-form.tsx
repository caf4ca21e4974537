import { useState, type SyntheticEvent } from 'react';
import * as v from 'valibot';
import type { Entry } from '../../../schemas/documents/document.ts';
import { noteTextSchema } from '../../../schemas/documents/journal-entry.ts';
import { noteTextMaxLength } from '../../../schemas/limits.ts';
import { commandErrorCopy } from '../../data/commands/commands.ts';
import { useData } from '../../data/data-context.ts';
import { editDraft, overNewer, textOf } from '../../data/edit-draft.ts';
import { caretToEnd } from '../../lib/dom/caret-to-end.ts';
import { useKeptText } from '../../lib/react/use-kept-text.ts';
import { useSaveOnce } from '../../lib/react/use-save-once.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextAreaField } from '../../ui/fields/text-area-field.tsx';

export interface TranscriptFormProps {
  readonly entry: Entry;
  readonly onDone: () => void;
}

const textRequired = 'Text is required';

/** A form for the owner's own transcript of a voice note. */
export function TranscriptForm({ entry, onDone }: TranscriptFormProps) {
  const { uid, commands } = useData();
  const saving = useSaveOnce(commandErrorCopy);
  const { text, isOverNewer, change, forget } = useKeptText(
    (over) => editDraft(uid, entry, over),
    textOf(entry),
  );
  const [problem, setProblem] = useState<string>();

  const leave = (): void => {
    forget(text);
    onDone();
  };

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const checked = v.safeParse(noteTextSchema, text);
    if (!checked.success) {
      setProblem(text.trim() === '' ? textRequired : checked.issues[0].message);
      return;
    }
    saving.run(async () => {
      await (await commands()).editText(entry.id, checked.output);
      leave();
    });
  };

  return (
    <form onSubmit={submit} className="mt-6 flex flex-col gap-3">
      <TextAreaField
        label="Text"
        rows={5}
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
      {isOverNewer && <ProblemNote>{overNewer}</ProblemNote>}
      {saving.failure !== null && <ProblemNote>{saving.failure}</ProblemNote>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" kind="primary">
          Save the text
        </Button>
        <Button onClick={leave}>Cancel</Button>
      </div>
    </form>
  );
}
