import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { formerTextsOf } from '../../../schemas/documents/former-texts.ts';
import { replacedVersion } from '../../../schemas/local/conflict-version.ts';
import type { RecordWrite } from '../../../store/document-store.ts';

/** A document as the file has it. */
export interface Incoming {
  readonly document: LocalDocument;
  /** The names of the fields that the device of the export had not sent. */
  readonly unsent?: readonly string[] | undefined;
}

/** The fields that their owner writes, with the state that belongs to the text. */
const writtenFields = [['name'], ['breed'], ['dob'], ['description'], ['text', 'transcript']];

/**
 * Returns the conflict version of what the file has later than the document on this device, and of what was not sent before
 * the export, which an edit elsewhere may have overwritten unseen; none or one. A text that the document shows among its
 * former ones needs none.
 */
export function replacedByKnown(
  known: LocalDocument,
  { document: inFile, unsent = [] }: Incoming,
  keptAtMs: number,
): readonly RecordWrite[] {
  const formerTexts = String(known.fields['formerTexts'] ?? '');
  const former = formerTextsOf({ formerTexts }, keptAtMs).map(({ text }) => text);
  const isWanted = ([name = '']: readonly string[]): boolean => {
    const value = inFile.fields[name];
    if (known.fields[name] === value) return false;
    if ((inFile.edits[name] ?? 0) > (known.edits[name] ?? 0)) return true;
    const isFormer = name === 'text' && former.some((text) => text === value);
    return unsent.includes(name) && !isFormer;
  };
  const names = known.deleted ? [] : writtenFields.filter(isWanted).flat();
  return replacedVersion({ ...inFile, petId: known.petId }, { names, side: 'local', keptAtMs });
}
