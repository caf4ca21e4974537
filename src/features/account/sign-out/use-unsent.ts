import { useMemo } from 'react';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import { useData } from '../../../data/data-context.ts';
import { exportFile, tellSaved } from '../../../data/transfer/save-export.ts';
import { useLive } from '../../../lib/async/live.ts';
import { useAction } from '../../../lib/react/use-action.ts';
import { saveFile } from '../../../platform/save-file.ts';
import {
  countUnsentWork,
  hasUnsent,
  unsentText,
  watchUnfinished,
} from '../../../data/unsent-work.ts';

export interface Unsent {
  /** A sentence about the data that only this device has; '' if there is none, null until it is known. */
  readonly words: string | null;
  /** Whether some of it is sent by syncing; drafts, other versions and unfinished recordings are not. */
  readonly isSendable: boolean;
  readonly exportAll: () => void;
  /** The message of the last successful export. */
  readonly done: string | null;
  /** The message of the last failed export. */
  readonly problem: string | null;
}

export function useUnsent(): Unsent {
  const data = useData();
  const { uid, queries, files } = data;
  const live = useMemo(() => queries.syncOverview(), [queries]);
  const overview = useLive(live);
  const unfinished = useLive(useMemo(() => watchUnfinished(live, files), [live, files]));
  const { run, done, problem } = useAction(commandErrorCopy);
  const unsent =
    overview === undefined || overview.files === null
      ? null
      : countUnsentWork(overview, uid, unfinished ?? 0);

  // Unsent documents are shown while the unfinished recordings are still being counted.
  const nothing = unfinished === undefined ? null : '';
  const words = unsent === null ? null : hasUnsent(unsent) ? unsentText(unsent) : nothing;
  const exportAll = async () => tellSaved(saveFile(await exportFile(data, { kind: 'unsent' })));
  const isSendable = unsent === null || unsent.changes > 0;
  return { words, isSendable, done, problem, exportAll: () => run(exportAll) };
}
