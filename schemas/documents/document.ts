import { feedKey } from './feed-key.ts';
import { formerTextsAfter } from './former-texts.ts';
import type {
  Base,
  EditStamps,
  FieldValue,
  Fields,
  SyncedCollection,
  SyncState,
} from './sync-state.ts';

/**
 * A pet or journal entry in the form that commands and sync use; {@link toRow} converts it to the stored form. A
 * tombstone (`deleted`) has no fields and no stamps. It keeps ids, owner and sync state for the life of the account.
 */
export interface LocalDocument extends SyncState {
  readonly collection: SyncedCollection;
  readonly id: string;
  /** `ownerId` of a pet, `createdBy` of an entry. */
  readonly ownerId: string;
  /** The pet of an entry; null for a pet. */
  readonly petId: string | null;
  readonly fields: Fields;
  readonly edits: EditStamps;
  readonly deleted: boolean;
}

interface SyncedRow extends SyncState {
  readonly id: string;
  readonly edits: EditStamps;
  readonly deleted: boolean;
}

/** A pet as it is stored: its content fields are beside the sync state, so that screens can query them. */
export interface PetRow extends SyncedRow {
  readonly ownerId: string;
  readonly name?: string;
  readonly breed?: string;
  readonly dob?: string;
  readonly profilePicturePath?: string;
  readonly profilePictureVersion?: string;
  readonly description?: string;
}

/** A journal entry as it is stored. An unknown type or transcript state was written by a newer version of the app. */
export interface EntryRow extends SyncedRow {
  readonly petId: string;
  readonly createdBy: string;
  /** See {@link feedKey}. */
  readonly feedKey: string;
  readonly createdDate?: number;
  readonly type?: string;
  readonly text?: string;
  readonly transcript?: string;
  /** See {@link formerTextsAfter}. */
  readonly formerTexts?: string;
  readonly fileLocation?: string;
  readonly contentType?: string;
  readonly durationMs?: number;
  /**
   * Hexadecimal digits, one for each of equal slices of the recording: the loudness, with `f` for the loudest slice.
   */
  readonly waveform?: string;
}

export const contentFieldNames = {
  pets: ['name', 'breed', 'dob', 'profilePicturePath', 'profilePictureVersion', 'description'],
  entries: [
    'createdDate',
    'type',
    'text',
    'transcript',
    'formerTexts',
    'fileLocation',
    'contentType',
    'durationMs',
    'waveform',
  ],
} as const satisfies Record<SyncedCollection, readonly string[]>;

/** The code of a copy that this client cannot read completely. */
export const newerSchemaCode = 'newer-schema';

function syncStateOf(document: LocalDocument | PetRow | EntryRow): Omit<SyncedRow, 'id'> {
  const { edits, deleted, pending, seq, base, rev, code } = document;
  return { edits, deleted, pending, seq, base, rev, code };
}

export function toPetRow(document: LocalDocument): PetRow {
  return {
    id: document.id,
    ownerId: document.ownerId,
    ...document.fields,
    ...syncStateOf(document),
  };
}

export function toEntryRow(document: LocalDocument): EntryRow {
  const { id, ownerId, petId, fields } = document;
  const createdDate = fields['createdDate'];
  const key = feedKey(typeof createdDate === 'number' ? createdDate : 0, id);
  const identity = { id, petId: petId ?? '', createdBy: ownerId, feedKey: key };
  return { ...identity, ...fields, ...syncStateOf(document) };
}

function fieldsOf(row: object, names: readonly string[]): Fields {
  const values = new Map<string, unknown>(Object.entries(row));
  const fields: Record<string, FieldValue> = {};
  for (const name of names) {
    const value = values.get(name);
    if (typeof value === 'string' || typeof value === 'number') fields[name] = value;
  }
  return fields;
}

export function fromPetRow(row: PetRow): LocalDocument {
  const fields = fieldsOf(row, contentFieldNames.pets);
  const identity = { collection: 'pets', id: row.id, ownerId: row.ownerId, petId: null } as const;
  return { ...identity, fields, ...syncStateOf(row) };
}

export function fromEntryRow(row: EntryRow): LocalDocument {
  const { id, petId, createdBy } = row;
  const fields = fieldsOf(row, contentFieldNames.entries);
  return { collection: 'entries', id, ownerId: createdBy, petId, fields, ...syncStateOf(row) };
}

/** Returns a document that is created on this device and not on the server yet. */
export function newDocument(
  identity: Pick<LocalDocument, 'collection' | 'id' | 'ownerId' | 'petId'>,
  fields: Fields,
  nowMs: number,
): LocalDocument {
  const edits = Object.fromEntries(Object.keys(fields).map((name) => [name, nowMs]));
  const sync = { pending: 1, seq: null, base: null, rev: 1, code: null } as const;
  return { ...identity, fields, edits, deleted: false, ...sync };
}

/** Returns the stamp of an edit made now: above every stamp in the document, whatever the clock says. */
export function nextStamp(nowMs: number, edits: EditStamps): number {
  return Object.values(edits).reduce((highest, stamp) => Math.max(highest, stamp + 1), nowMs);
}

function forkedBase(document: LocalDocument): Base | null {
  if (document.pending !== 0) return document.base;
  return document.seq === null ? null : { fields: document.fields, edits: document.edits };
}

/**
 * Returns the sync state after a change: pending, or, for a copy of a newer schema, parked until this client can read
 * it.
 */
function changedState({ rev, code }: LocalDocument): Pick<SyncState, 'pending' | 'rev' | 'code'> {
  const isReadable = code !== newerSchemaCode;
  return { pending: isReadable ? 1 : 2, rev: rev + 1, code: isReadable ? null : code };
}

/**
 * Returns the document after an owner's edit: the changed fields are stamped, and it is pending. The first edit of a
 * clean copy keeps the server's state as its base; a parked copy is retried. A replaced text is kept as a former one
 * ({@link formerTextsAfter}), whoever replaces it.
 * @param changes new values by field; `null` clears a field.
 */
export function withEdit(
  document: LocalDocument,
  changes: Readonly<Record<string, FieldValue | null>>,
  nowMs: number,
): LocalDocument {
  const stamp = nextStamp(nowMs, document.edits);
  const fields: Record<string, FieldValue> = { ...document.fields };
  const edits: Record<string, number> = { ...document.edits };
  const kept = formerTextsAfter(document.fields, changes, stamp);
  for (const [name, value] of Object.entries({ ...changes, ...kept })) {
    if (value === null) delete fields[name];
    else fields[name] = value;
    edits[name] = stamp;
  }
  const base = forkedBase(document);
  return { ...document, fields, edits, base, ...changedState(document) };
}

/** Returns the pending tombstone of a deleted document. */
export function asDeleted(document: LocalDocument): LocalDocument {
  const base = forkedBase(document);
  return {
    ...document,
    fields: {},
    edits: {},
    base,
    deleted: true,
    ...changedState(document),
  };
}
