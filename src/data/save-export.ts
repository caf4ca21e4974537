import { downloadFile } from '../lib/download-file.ts';
import type { Data } from './data-context.ts';
import type { ExportScope } from './transfers.ts';

/** Hands a zip file to the owner who waits for it. @throws {CommandError} */
export async function saveExport(
  { transfers }: Pick<Data, 'transfers'>,
  scope: ExportScope,
): Promise<void> {
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  const { fileName, zip } = await (await transfers()).exportZip(scope, options);
  downloadFile(fileName, zip);
}
