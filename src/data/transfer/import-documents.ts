import {
  contentFieldNames,
  newDocument,
  type LocalDocument,
} from '../../../schemas/documents/document.ts';
import type { ExportedEntry, ExportedPet } from '../../../schemas/export-file.ts';
import type {
  EditStamps,
  FieldValue,
  Fields,
  SyncedCollection,
} from '../../../schemas/documents/sync-state.ts';

export interface ImportInput {
  readonly uid: string;
  readonly id: string;
  /** Epoch milliseconds of this device's clock, corrected by the server's. */
  readonly nowMs: number;
  /**
   * Whether the document keeps its id and dog, so that its file on the server is still its own. It keeps the name of the
   * file: without it, a merge with the server's document would take the file away.
   */
  readonly isSameDocument: boolean;
}

function definedOf(fields: Readonly<Record<string, FieldValue | undefined>>): Fields {
  const defined: Record<string, FieldValue> = {};
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) defined[name] = value;
  return defined;
}

/**
 * Returns the stamps in the file, so that a merge with the server uses the times of the owner's edits: an import must
 * not win over a newer edit. No stamp is later than now, even if the file has one.
 */
function stampsOf(
  collection: SyncedCollection,
  fields: Fields,
  { edits, nowMs }: { readonly edits: EditStamps; readonly nowMs: number },
): EditStamps {
  const stamps: Record<string, number> = {};
  for (const name of contentFieldNames[collection]) {
    const stamp = edits[name];
    if (stamp !== undefined) stamps[name] = Math.min(Math.max(0, Math.floor(stamp)), nowMs);
    else if (fields[name] !== undefined) stamps[name] = 0;
  }
  return stamps;
}

const pictureName = /^images\/profile[.](jpe?g|png|webp)$/;
const recordingName = /^audios\/voice-note-\d{1,16}[.][a-z0-9]{1,5}$/;

/** Returns a path within the pet's folder. The server would refuse the file of another document, or another name. */
function pathWithin(petId: string, path: string | undefined, name: RegExp): string | undefined {
  const folder = `pets/${petId}/`;
  const isOwn = path?.startsWith(folder) === true && name.test(path.slice(folder.length));
  return isOwn ? path : undefined;
}

export function petOf(pet: ExportedPet, input: ImportInput): LocalDocument {
  const { uid: ownerId, id, nowMs, isSameDocument } = input;
  const { name, breed, dob, description, picture } = pet;
  const file = isSameDocument ? picture : null;
  const profilePicturePath = pathWithin(id, file?.serverPath, pictureName);
  const fields = definedOf({
    name,
    breed,
    dob,
    description,
    profilePicturePath,
    profilePictureVersion: profilePicturePath === undefined ? undefined : file?.serverVersion,
  });
  const document = newDocument({ collection: 'pets', id, ownerId, petId: null }, fields, nowMs);
  return { ...document, edits: stampsOf('pets', fields, { edits: pet.edits, nowMs }) };
}

/** Returns the state of the transcript. Only an entry with a recording can wait for one. */
function transcriptOf(entry: ExportedEntry, hasRecording: boolean): string | undefined {
  return entry.transcript === 'waiting' && !hasRecording ? 'failed' : entry.transcript;
}

export function entryOf(
  entry: ExportedEntry,
  petId: string,
  input: ImportInput & { readonly hasBytes: boolean },
): LocalDocument {
  const { uid: ownerId, id, nowMs, isSameDocument, hasBytes } = input;
  const { createdDate, type, text, formerTexts, recording } = entry;
  const serverPath = isSameDocument ? recording?.serverPath : undefined;
  const fileLocation = pathWithin(petId, serverPath, recordingName);
  const fields = definedOf({
    createdDate,
    type,
    text,
    formerTexts,
    transcript: transcriptOf(entry, hasBytes || fileLocation !== undefined),
    fileLocation,
    contentType: recording?.contentType,
    durationMs: recording?.durationMs,
    waveform: recording?.waveform,
  });
  const document = newDocument({ collection: 'entries', id, ownerId, petId }, fields, nowMs);
  const edits = stampsOf('entries', fields, { edits: entry.edits, nowMs });
  return { ...document, edits };
}
