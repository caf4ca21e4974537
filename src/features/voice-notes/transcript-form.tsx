import { useState, type SyntheticEvent } from 'react';
import * as v from 'valibot';
import { noteTextSchema } from '../../../schemas/documents/journal-entry.ts';
import { noteTextMaxLength } from '../../../schemas/limits.ts';
import { commandErrorCopy } from '../../data/commands/commands.ts';
import { useData } from '../../data/data-context.ts';
import { useSaveOnce } from '../../lib/react/use-save-once.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextAreaField } from '../../ui/fields/text-area-field.tsx';

export interface TranscriptFormProps {
  readonly entryId: string;
  readonly text: string;
  readonly onDone: () => void;
}

const textRequired = 'Text is required';

/** A form for the owner's own transcript of a voice note. */
export function TranscriptForm({ entryId, text: before, onDone }: TranscriptFormProps) {
  const { commands } = useData();
  const saving = useSaveOnce(commandErrorCopy);
  const [text, setText] = useState(before);
  const [problem, setProblem] = useState<string>();

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const checked = v.safeParse(noteTextSchema, text);
    if (!checked.success) {
      setProblem(text.trim() === '' ? textRequired : checked.issues[0].message);
      return;
    }
    saving.run(async () => {
      await (await commands()).editText(entryId, checked.output);
      onDone();
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
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
      />
      {saving.failure !== null && <ProblemNote>{saving.failure}</ProblemNote>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" kind="primary">
          Save the text
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
