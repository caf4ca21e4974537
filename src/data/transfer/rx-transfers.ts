import { somethingWentWrong } from '../../../schemas/copy/form-copy.ts';
import { told } from '../commands/commands.ts';
import { exportZip, type ExportDeps } from './rx-export.ts';
import { openImport, type ImportDeps } from './rx-import.ts';
import type { Transfers } from './transfers.ts';

function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
  return told(somethingWentWrong, work);
}

export function createTransfers(deps: ExportDeps & ImportDeps): Transfers {
  return {
    exportZip: (...scope) => attempt(() => exportZip(deps, ...scope)),
    openImport: (chosen) =>
      attempt(async () => {
        const { preview, run } = await openImport(deps, chosen);
        return { preview, run: (options) => attempt(() => run(options)) };
      }),
  };
}
