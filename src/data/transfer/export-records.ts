import {
  exportFormat,
  exportVersion,
  type EntryToExport,
  type PetToExport,
} from '../../../schemas/export-file.ts';
import { contentFieldNames, type Entry, type Pet } from '../../../schemas/documents/document.ts';
import type { Fields } from '../../../schemas/documents/sync-state.ts';

/** A dog or entry with the name of its file in the zip; null if its bytes are not available. */
interface WithFile<Row> {
  readonly row: Row;
  readonly file: string | null;
  /** The type of the bytes, or else the type in the document. */
  readonly contentType: string | undefined;
}

/** Returns the names of the fields whose values the server does not have, as far as is known; undefined if it has all. */
function unsentOf({ pending, base, fields }: Pet | Entry, names: readonly string[]) {
  if (pending === 0) return undefined;
  const [here, sent]: readonly Fields[] = [fields, base?.fields ?? {}];
  return names.filter((name) => here?.[name] !== sent?.[name]);
}

export function petToExport(
  { row, file, contentType }: WithFile<Pet>,
  isOlder?: boolean,
): PetToExport {
  const { id, edits, fields } = row;
  const { name, breed, dob, description } = fields;
  const { profilePicturePath: serverPath, profilePictureVersion: serverVersion } = fields;
  const hasPicture = file !== null || serverPath !== undefined;
  const picture = hasPicture ? { file, contentType, serverPath, serverVersion, isOlder } : null;
  const unsent = unsentOf(row, contentFieldNames.pets);
  return { id, name, breed, dob, description, picture, edits, unsent };
}

export function entryToExport({ row, file, contentType }: WithFile<Entry>): EntryToExport {
  const { id, petId, edits, fields } = row;
  const { type, text, transcript, formerTexts } = fields;
  const { durationMs, waveform, fileLocation: serverPath } = fields;
  const createdDate = new Date(fields.createdDate ?? 0).toISOString();
  const recording =
    type === 'voice-note' ? { file, contentType, durationMs, waveform, serverPath } : null;
  const words = { type, text, transcript, formerTexts };
  const unsent = unsentOf(row, contentFieldNames.entries);
  return { id, petId, createdDate, ...words, recording, edits, unsent };
}

const partLength = 64 * 1_024;

/** A text that is written in parts. Each full part becomes a `Blob`, which the browser need not hold in memory. */
export function createTextParts() {
  const parts: Blob[] = [];
  let text = '';
  return {
    write: (more: string): void => {
      text += more;
      if (text.length < partLength) return;
      parts.push(new Blob([text]));
      text = '';
    },
    toBlob: () => new Blob([...parts, text]),
  };
}

function createListOf() {
  const parts = createTextParts();
  let separator = '';
  return {
    add: (item: PetToExport | EntryToExport): void => {
      parts.write(`${separator}\n${JSON.stringify(item, null, 2)}`);
      separator = ',';
    },
    toBlob: parts.toBlob,
  };
}

interface ExportListHead {
  readonly exportedAt: string;
  readonly owner: string;
  readonly otherVersions: readonly unknown[];
  readonly drafts: readonly string[];
}

/** Creates the zip file's list in the shape of `exportListSchema`. */
export function createExportList() {
  const pets = createListOf();
  const entries = createListOf();
  return {
    addPet: (pet: PetToExport) => pets.add(pet),
    addEntry: (entry: EntryToExport) => entries.add(entry),
    /** @param head the properties other than `pets` and `entries`. */
    toBlob: (head: ExportListHead): Blob => {
      const whole = { format: exportFormat, version: exportVersion, ...head };
      const start = JSON.stringify(whole, null, 2);
      return new Blob([
        start.slice(0, start.lastIndexOf('}')).trimEnd(),
        ',\n"pets": [',
        pets.toBlob(),
        '\n],\n"entries": [',
        entries.toBlob(),
        '\n]\n}\n',
      ]);
    },
  };
}
