import { useSoleAction } from '../../lib/react/use-sole-action.ts';
import { commandErrorCopy } from '../commands/commands.ts';
import { useData } from '../data-context.ts';
import { createExport, type SaveFile } from './save-export.ts';
import type { ExportScope } from './transfers.ts';

export interface Exporting {
  /** While it runs, nothing that it reads may be erased. */
  readonly isBusy: boolean;
  /** Says that it runs, or how it succeeded; null otherwise. */
  readonly status: string | null;
  /** The message of a failure. */
  readonly problem: string | null;
  /** Does nothing while an export runs. */
  readonly start: () => void;
}

/** Exports a part of the journal for a page that waits for it. */
export function useExport(scope: ExportScope, save: SaveFile): Exporting {
  const data = useData();
  const { isBusy, done, problem, start } = useSoleAction(
    () => createExport(save),
    commandErrorCopy,
  );
  const status = isBusy ? 'Exporting…' : done;
  return { isBusy, status, problem, start: () => start(data, scope) };
}
