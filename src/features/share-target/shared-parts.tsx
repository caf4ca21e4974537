import { useRef, useState, type ComponentType, type ReactNode } from 'react';
import type { SharedFile, SharedItem } from '../../../schemas/local/shared-item.ts';
import { commandErrorCopy } from '../../data/commands/commands.ts';
import {
  withoutAll,
  withoutFile,
  withoutTexts,
  type RestOfShared,
} from '../../data/shared-items.ts';
import { useAction } from '../../lib/react/use-action.ts';
import { AskingButton, Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SharedPicture } from './shared-picture.tsx';
import { SharedSound, type SoundPlayerProps } from './shared-sound.tsx';
import { isSound, notStoredText } from './shared-copy.ts';
import type { SharedItemState } from './use-shared-item.ts';

export interface SharedPartsProps {
  readonly item: SharedItem;
  readonly petId: string;
  readonly Player: ComponentType<SoundPlayerProps>;
  readonly keepText: (texts: readonly string[]) => void;
  /** Stores the parts that are not used yet. */
  readonly keepRest: SharedItemState['keepRest'];
  /** Continues with that photo. */
  readonly onPicture: (fileId: string) => void;
  /** The dog that it is for. */
  readonly children: ReactNode;
}

/** Lists the parts of a shared item with their actions. */
export function SharedParts(props: SharedPartsProps) {
  const { item, petId, Player, keepText, keepRest, onPicture, children } = props;
  const action = useAction(commandErrorCopy);
  const [said, setSaid] = useState('');
  const listRef = useRef<HTMLUListElement>(null);

  /** Removes a used part, and moves the focus from it to the list. */
  const used = async (restOf: RestOfShared, sentence: string): Promise<void> => {
    await keepRest(restOf);
    setSaid(sentence);
    listRef.current?.focus();
  };
  const keptSound = (id: string): Promise<void> =>
    used(withoutFile(id), 'The voice note is in the journal.');

  const part = (file: SharedFile): ReactNode => {
    if (isSound(file)) {
      const { createdAtMs } = item;
      const onKept = (): Promise<void> => keptSound(file.id);
      return <SharedSound sound={{ file, petId, createdAtMs }} Player={Player} onKept={onKept} />;
    }
    if (file.bytes === null) return <p>{notStoredText(file)}</p>;
    return <SharedPicture file={file} onUse={() => onPicture(file.id)} />;
  };

  return (
    <div className="flex-1 overflow-y-auto">
      <div className="page-column flex flex-col gap-4 pt-4 pb-[max(2rem,env(safe-area-inset-bottom))]">
        {children}
        {action.problem !== null && <ProblemNote>{action.problem}</ProblemNote>}
        <p role="status" className="text-ink-soft empty:sr-only">
          {said}
        </p>
        <ul
          ref={listRef}
          role="list"
          tabIndex={-1}
          aria-label="What you shared"
          className="flex flex-col gap-3 outline-none"
        >
          {item.texts.length > 0 && (
            <Part name="Text">
              <p dir="auto" className="line-clamp-6 whitespace-pre-line wrap-anywhere">
                {item.texts.join('\n')}
              </p>
              <Button
                onClick={() =>
                  action.run(async () => {
                    keepText(item.texts);
                    await used(withoutTexts, 'It is in the note box of the journal.');
                  })
                }
              >
                Put into the note box
              </Button>
            </Part>
          )}
          {item.files.map((file) => (
            <Part key={file.id} name={file.name}>
              {part(file)}
            </Part>
          ))}
        </ul>
        <AskingButton
          label="Discard"
          kind="quiet-danger"
          className="self-center"
          onConfirm={() => action.run(() => keepRest(withoutAll))}
        />
      </div>
    </div>
  );
}

interface PartProps {
  readonly name: string;
  readonly children: ReactNode;
}

function Part({ name, children }: PartProps) {
  return (
    <li className="flex flex-col items-start gap-3 rounded-card bg-card px-4 py-3">
      <p dir="auto" className="text-ink-soft wrap-anywhere">
        {name}
      </p>
      {children}
    </li>
  );
}
