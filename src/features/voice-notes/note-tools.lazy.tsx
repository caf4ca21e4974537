import { useState } from 'react';
import type { Entry } from '../../../schemas/documents/document.ts';
import { audioExtension } from '../../../schemas/documents/voice-note.ts';
import { textAuthor } from '../../../schemas/documents/text-author.ts';
import { commandErrorCopy } from '../../data/commands/commands.ts';
import { useData } from '../../data/data-context.ts';
import { editDraft, editDrafts, textOf } from '../../data/edit-draft.ts';
import { voiceSentences } from '../../data/files/voice-copy.ts';
import { tellSaved } from '../../data/transfer/save-export.ts';
import { keepFocus } from '../../lib/dom/keep-focus.ts';
import { readDraft } from '../../lib/draft.ts';
import { useAction } from '../../lib/react/use-action.ts';
import { useAsking } from '../../lib/react/use-asking.ts';
import { saveFile } from '../../platform/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { LeftDrafts } from '../../ui/leftovers/left-drafts.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TranscriptForm } from './transcript-form.tsx';
import { useHasNoEngine } from './use-has-no-engine.ts';

export interface NoteToolsProps {
  readonly entry: Entry;
}

function fileNameOf(
  { fields: { fileLocation, createdDate = 0 } }: Entry,
  contentType: string,
): string {
  const extension = audioExtension(contentType) ?? 'audio';
  return fileLocation?.split('/').at(-1) ?? `voice-note-${String(createdDate)}.${extension}`;
}

const firstText = {
  write: 'Type the text',
  make: 'Transcribe',
  done: 'It will be transcribed.',
};
const anotherText = {
  write: 'Correct the text',
  make: 'Transcribe again',
  done: 'It will be transcribed again.',
};

/** The sentences about a transcript, or about a missing one, by its state. */
const aboutText: Readonly<Record<string, string>> = {
  unheard: voiceSentences.noTexts,
  rough: voiceSentences.rough,
};

/** The buttons of a voice note: correct or repeat its transcript, and save its recording to a file. */
export function NoteTools({ entry }: NoteToolsProps) {
  const { uid, files } = useData();
  const action = useAction(commandErrorCopy);
  const hasNoEngine = useHasNoEngine();
  const [isEditing, setIsEditing] = useState(() => readDraft(editDraft(uid, entry)) !== '');
  const [hasEdited, setHasEdited] = useState(false);
  const {
    fields: { fileLocation, text = '', transcript = '' },
  } = entry;

  const words = text === '' ? firstText : anotherText;
  /** Names the text that the new one replaces, which a note without a text waits for as well. */
  const replaced = `text ${String(entry.edits.text ?? 0)}`;
  const isAwaited = action.itemId === replaced && (text !== '' || transcript === 'waiting');

  const save = async () => {
    const { bytes, contentType } = await (await files.load()).voice.open(entry);
    const file = new File([bytes], fileNameOf(entry, contentType), { type: contentType });
    return tellSaved(saveFile(file));
  };
  const makeAgain = async (): Promise<void> => {
    await (await files.load()).voice.retranscribe(entry);
  };
  const askForText = (): void => action.run(makeAgain, replaced, words.done);
  const { isAsking, handlers } = useAsking(askForText);
  const isOwn = textAuthor(entry.fields) === 'person';

  const about = aboutText[transcript];

  if (isEditing) {
    const leave = (): void => {
      setIsEditing(false);
      setHasEdited(true);
    };
    return <TranscriptForm entry={entry} onDone={leave} />;
  }
  return (
    <div className="mt-6 flex flex-col gap-3">
      {about !== undefined && <p className="text-ink-soft">{about}</p>}
      <div className="flex flex-wrap gap-3">
        {/* The button replaces the form that had the focus. */}
        <Button autoFocus={hasEdited} onClick={() => setIsEditing(true)}>
          {words.write}
        </Button>
        {hasNoEngine === false && fileLocation !== undefined && (
          <Button ref={keepFocus} {...(isOwn ? handlers : { onClick: askForText })}>
            {isOwn && isAsking ? 'Replace your own words' : words.make}
          </Button>
        )}
        <Button onClick={() => action.run(save)}>Save the recording</Button>
      </div>
      <p role="status" className="text-ink-soft empty:sr-only">
        {(action.itemId === '' || isAwaited) && action.done}
      </p>
      {action.problem !== null && <ProblemNote>{action.problem}</ProblemNote>}
      <LeftDrafts
        key={textOf(entry)}
        owner={uid}
        name={editDrafts(entry)}
        except={editDraft(uid, entry).name}
        saved={textOf(entry)}
      />
    </div>
  );
}
