import { somethingWentWrong } from '../../../schemas/copy/form-copy.ts';
import { CommandError } from '../commands/commands.ts';
import { exportZip, type ExportDeps } from './rx-export.ts';
import { openImport, type ImportDeps } from './rx-import.ts';
import type { Transfers } from './transfers.ts';

async function told<Result>(signal: AbortSignal | null, work: () => Promise<Result>) {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CommandError) throw error;
    throw new CommandError('storage', somethingWentWrong, { cause: error });
  }
}

export function createTransfers(deps: ExportDeps & ImportDeps): Transfers {
  return {
    exportZip: (scope, options) => told(options.signal, () => exportZip(deps, scope, options)),
    openImport: (chosen) =>
      told(null, async () => {
        const { preview, run } = await openImport(deps, chosen);
        return { preview, run: (options) => told(options.signal, () => run(options)) };
      }),
  };
}
