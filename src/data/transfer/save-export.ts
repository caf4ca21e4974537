import type { SaveOutcome } from '../../lib/dom/saved-file.ts';
import { countText, listText } from '../../lib/text/count-text.ts';
import type { Said } from '../../lib/react/use-action.ts';
import { CommandError } from '../commands/commands.ts';
import type { Data } from '../data-context.ts';
import type { Contents, ExportScope, FinishedExport, FinishedImport } from './transfers.ts';

export type SaveFile = (file: File) => Promise<SaveOutcome>;

const notSaved = 'The file could not be saved. Make room on this device, and try again.';
const tapOnceMore = 'Tap once more to save the file.';

const texts: Readonly<Record<Exclude<SaveOutcome, 'failed'>, string>> = {
  saved: 'Saved.',
  shared: 'Shared.',
  cancelled: '',
  'needs-tap': tapOnceMore,
};

/** Returns the message for a file that was handed over. @throws {CommandError} if saving failed. */
export function savedText(outcome: SaveOutcome): string {
  if (outcome !== 'failed') return texts[outcome];
  throw new CommandError('storage', notSaved);
}

/** Waits until a file is handed over, and returns the message for it. @throws {CommandError} if saving failed. */
export async function tellSaved(saving: Promise<SaveOutcome>): Promise<Said> {
  return { said: savedText(await saving) };
}

/** Lists the contents of a file or an import. Only an export has drafts, and only an import brings lost files. */
export function contentsText({
  pets,
  notes,
  voiceNotes,
  drafts = 0,
  otherVersions = 0,
  lostFiles = 0,
}: Contents &
  Partial<
    Pick<FinishedExport & FinishedImport, 'drafts' | 'otherVersions' | 'lostFiles'>
  >): string {
  const list = listText([
    [pets, 'dog'],
    [notes, 'note'],
    [voiceNotes, 'voice note'],
    [drafts, 'draft'],
    [otherVersions, 'other version'],
    [lostFiles, 'recording or picture', 'recordings and pictures'],
  ]);
  return list === '' ? 'nothing' : list;
}

export function isAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/** Describes a finished export, what it lacks, and what became of its file. */
export function exportedText(result: FinishedExport, outcome: SaveOutcome): string {
  const { missingFiles: missing, fileName } = result;
  const files = countText(missing, 'recording or picture', 'recordings and pictures');
  const sentences = [
    `Your export is ready: ${contentsText(result)}.`,
    result.isPartial &&
      'Part of your journal is not in it, because this device does not have it yet.',
    missing > 0 &&
      `${files} ${isAre(missing)} not in it: not on this device, still being recorded, or too large for one file. README.md in the file has the names.`,
    outcome === 'saved' && `It is saved as ${fileName}.`,
    outcome === 'shared' && `It is shared as ${fileName}.`,
    outcome === 'needs-tap' && tapOnceMore,
    outcome === 'failed' && notSaved,
  ];
  return sentences.filter((sentence) => sentence !== false).join(' ');
}

export function zipFile({ fileName, zip }: FinishedExport): File {
  return new File([zip], fileName, { type: zip.type });
}

/**
 * Returns a command that exports a zip file and hands it over. If the browser wants another tap for that, the next call
 * hands the same file over: to make it again would take so long that the browser wants another tap once more.
 */
export function createExport(save: SaveFile) {
  let kept: FinishedExport | null = null;
  /** @throws {CommandError} if the export or the saving fails. */
  return async ({ transfers }: Pick<Data, 'transfers'>, scope: ExportScope): Promise<Said> => {
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const result = kept ?? (await (await transfers()).exportZip(scope, options));
    kept = null;
    const outcome = await save(zipFile(result));
    if (outcome === 'needs-tap') kept = result;
    return { said: savedText(outcome) && exportedText(result, outcome) };
  };
}
