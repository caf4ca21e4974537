import type { SaveOutcome } from '../../lib/dom/saved-file.ts';
import type { Said } from '../../lib/react/use-action.ts';
import { CommandError } from '../commands/commands.ts';
import type { Data } from '../data-context.ts';
import type { ExportScope } from './transfers.ts';

/** Exports a zip file while the owner waits. @throws {CommandError} if it fails. */
export async function exportFile(
  { transfers }: Pick<Data, 'transfers'>,
  scope: ExportScope,
): Promise<File> {
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  const { fileName, zip } = await (await transfers()).exportZip(scope, options);
  return new File([zip], fileName, { type: zip.type });
}

const texts: Readonly<Record<Exclude<SaveOutcome, 'failed'>, string>> = {
  saved: 'Saved.',
  shared: 'Shared.',
  cancelled: '',
  'needs-tap': 'Tap once more to save the file.',
};

/** Returns the message for a file that was handed over. @throws {CommandError} if saving failed. */
export function savedText(outcome: SaveOutcome): string {
  if (outcome !== 'failed') return texts[outcome];
  throw new CommandError(
    'storage',
    'The file could not be saved. Make room on this device, and try again.',
  );
}

/** Waits until a file is handed over, and returns the message for it. @throws {CommandError} if saving failed. */
export async function tellSaved(saving: Promise<SaveOutcome>): Promise<Said> {
  return { said: savedText(await saving) };
}
