import { commandErrorCopy } from '../../../data/commands/commands.ts';
import { useData } from '../../../data/data-context.ts';
import { exportFile, tellSaved } from '../../../data/transfer/save-export.ts';
import { watchUnsent } from '../../../data/unsent-work.ts';
import { useAction } from '../../../lib/react/use-action.ts';
import { useLiveFrom } from '../../../lib/react/use-live-from.ts';
import { saveFile } from '../../../platform/save-file.ts';

export interface UnsentView {
  /** Lists the data that only this device has; '' if there is none, null until it is known. */
  readonly words: string | null;
  /** Whether some of it is sent by syncing; true until it is known. */
  readonly isSendable: boolean;
  readonly exportAll: () => void;
  /** The message of the last successful export. */
  readonly done: string | null;
  /** The message of the last failed export. */
  readonly problem: string | null;
}

export function useUnsent(): UnsentView {
  const data = useData();
  const { text = null, isSendable = true } = useLiveFrom(data, watchUnsent) ?? {};
  const { run, done, problem } = useAction(commandErrorCopy);
  const exportAll = async () => tellSaved(saveFile(await exportFile(data, { kind: 'unsent' })));
  return { words: text, isSendable, done, problem, exportAll: () => run(exportAll) };
}
