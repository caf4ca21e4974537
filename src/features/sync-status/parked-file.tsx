import type { OutboxJob } from '../../../schemas/local/outbox-job.ts';
import { useData } from '../../data/data-context.ts';
import { parkedFileReason } from '../../data/files/file-copy.ts';
import type { Files } from '../../data/files/files.ts';
import type { NamedPet } from '../../data/queries/queries.ts';
import { tellSaved } from '../../data/transfer/save-export.ts';
import type { Action } from '../../lib/react/use-action.ts';
import { saveFile } from '../../platform/save-file.ts';
import { doneTexts, fileText } from './item-copy.ts';
import { DiscardButton, ItemButton, SheetItem } from './sheet-item.tsx';

export interface ParkedFileProps {
  readonly job: OutboxJob;
  /** All dogs of the owner. */
  readonly pets: readonly NamedPet[];
  readonly action: Action;
}

export function ParkedFile({ job, pets, action }: ParkedFileProps) {
  const { files } = useData();
  const { id, objectName, code } = job;
  const run = (command: (files: Files) => Promise<void>, doneText: string): void =>
    action.run(async () => command(await files.load()), id, doneText);

  const exportFile = async () => {
    const { bytes, contentType } = await (await files.load()).readFile(id);
    const name = objectName.split('/').at(-1) ?? 'file';
    return tellSaved(saveFile(new File([bytes], name, { type: contentType })));
  };

  return (
    <SheetItem text={fileText(job, pets)} note={parkedFileReason(code)} work={{ id, action }}>
      <ItemButton onClick={() => run((opened) => opened.retryFile(id), doneTexts.retry)}>
        Retry
      </ItemButton>
      <ItemButton onClick={() => action.run(exportFile, id)}>Export</ItemButton>
      <DiscardButton onDiscard={() => run((opened) => opened.discardFile(id), doneTexts.discard)} />
    </SheetItem>
  );
}
