import { contentsText, isAre } from '../../data/transfer/save-export.ts';
import {
  dogless,
  type FinishedImport,
  type ImportPreview,
  type TransferProgress,
} from '../../data/transfer/transfers.ts';
import { countText } from '../../lib/text/count-text.ts';
import { exactTimeText } from '../../lib/dates/entry-time-text.ts';
import type { SaveOutcome } from '../../lib/dom/saved-file.ts';

/** Returns the progress: "120 of 312 notes". */
export function progressText(progress: TransferProgress | null, writtenPart: number): string {
  if (writtenPart > 0) return `Writing the file, ${String(Math.round(writtenPart * 100))} %`;
  if (progress === null || progress.total === 0) return 'Getting ready…';
  return `${String(progress.done)} of ${countText(progress.total, 'note')}`;
}

export function isHandedOver(outcome: SaveOutcome): boolean {
  return outcome === 'saved' || outcome === 'shared';
}

/** Returns the label of the save button. It stays after a save, because a browser may refuse one silently. */
export function saveLabel(outcome: SaveOutcome): string {
  return isHandedOver(outcome) ? 'Save again' : 'Save the file';
}

export function importedText(result: FinishedImport): string {
  const { pets, notes, voiceNotes, otherVersions, lostFiles, known, unreadableFiles } = result;
  const isNothing = pets + notes + voiceNotes + otherVersions + lostFiles === 0;
  const sentences = [
    isNothing ? 'Nothing new was in the file.' : `Imported: ${contentsText(result)}.`,
    known > 0 && `${String(known)} ${isAre(known)} here already.`,
    unreadableFiles > 0 &&
      `${countText(unreadableFiles, 'recording or picture', 'recordings and pictures')} in the file could not be read.`,
  ];
  return sentences.filter((sentence) => sentence !== false).join(' ');
}

export function stoppedText(kind: 'export' | 'import'): string {
  return kind === 'export'
    ? 'The export was stopped.'
    : 'The import was stopped. What was imported is kept; import the file again to complete it.';
}

/** Returns the sentences that describe the contents of a chosen file before it is imported. */
export function previewSentences(preview: ImportPreview): readonly string[] {
  const { known, returning, unreadable, withoutPet, unsaved, files } = preview;
  const sentences = [
    `Exported ${exactTimeText(preview.exportedAtMs)}: ${contentsText(preview)}${files === 0 ? '' : `, with ${countText(files, 'recording or picture', 'recordings and pictures')}`}.`,
    preview.isOtherAccount && 'It comes from another account. You get copies of your own.',
    known > 0 &&
      `${String(known)} of them ${isAre(known)} here already, and ${known === 1 ? 'stays as it is' : 'stay as they are'}. A later or unsent text, or another picture, becomes another version.`,
    returning > 0 &&
      `${String(returning)} ${returning === 1 ? 'was' : 'were'} deleted here, and ${returning === 1 ? 'comes' : 'come'} back.`,
    preview.isPartial &&
      'Your journal is not all here yet. If you deleted any of this, import it again later.',
    withoutPet > 0 &&
      `The dog of ${countText(withoutPet, 'entry', 'entries')} is not in the file: look for “${dogless}”.`,
    unsaved > 0 &&
      `${countText(unsaved, 'draft or other version', 'drafts and other versions')} ${isAre(unsaved)} left out: README.md in the file has the text.`,
    unreadable > 0 && `${String(unreadable)} could not be read, and ${isAre(unreadable)} left out.`,
  ];
  return sentences.filter((sentence) => sentence !== false);
}
