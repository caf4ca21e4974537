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

/** The identity and the content of a pet or journal entry, in the same form on this device and from the server. */
export interface SharedDocument {
  readonly collection: SyncedCollection;
  readonly id: string;
  /** Stored by the server as `ownerId` of a pet and `createdBy` of an entry. */
  readonly ownerId: string;
  /** The pet of an entry; null for a pet. */
  readonly petId: string | null;
  readonly fields: Fields;
  readonly edits: EditStamps;
  readonly deleted: boolean;
}

/**
 * A pet or journal entry on this device, as it is stored, synced and shown. A tombstone (`deleted`) has no fields and no
 * stamps. It keeps ids, owner and sync state for the life of the account.
 */
export interface LocalDocument extends SharedDocument, SyncState {}

/** The fields of a pet. An interface would not be assignable to `Fields`. */
export type PetFields = {
  readonly name?: string;
  readonly breed?: string;
  readonly dob?: string;
  readonly profilePicturePath?: string;
  readonly profilePictureVersion?: string;
  readonly description?: string;
};

/** The fields of an entry. An unknown type or transcript state was written by a newer version of the app. */
export type EntryFields = {
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
};

/** A document in its collection, which RxDB does not let it name. */
type Collected = Omit<LocalDocument, 'collection'>;

export interface Pet extends Collected {
  readonly petId: null;
  readonly fields: PetFields;
}

export interface Entry extends Collected {
  readonly petId: string;
  readonly fields: EntryFields;
  /** See {@link feedKeyOf}. */
  readonly feedKey: string;
}

/** Returns the key by which the store indexes an entry, which it adds to the document. */
export function feedKeyOf({ id, fields }: Pick<LocalDocument, 'id' | 'fields'>): string {
  const createdDate = fields['createdDate'];
  return feedKey(typeof createdDate === 'number' ? createdDate : 0, id);
}

/**
 * The fields of a document, in groups that are merged as a unit, by rule D5 in replication/SPEC.md. `createdDate`, `type`
 * and `waveform` never change after the entry was created.
 */
export const fieldGroups = {
  pets: [
    ['name'],
    ['breed'],
    ['dob'],
    ['profilePicturePath', 'profilePictureVersion'],
    ['description'],
  ],
  entries: [
    ['createdDate'],
    ['type'],
    ['text', 'transcript'],
    ['formerTexts'],
    ['fileLocation', 'contentType', 'durationMs'],
    ['waveform'],
  ],
} as const satisfies Record<SyncedCollection, readonly (readonly string[])[]>;

export const contentFieldNames = {
  pets: fieldGroups.pets.flat(),
  entries: fieldGroups.entries.flat(),
};

/** The code of a copy that this client cannot read completely. */
export const newerSchemaCode = 'newer-schema';

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
  const kept = formerTextsAfter(document.fields, changes, { untilMs: stamp, nowMs });
  for (const [name, value] of Object.entries({ ...changes, ...kept })) {
    if (value === null) delete fields[name];
    else fields[name] = value;
    edits[name] = stamp;
  }
  const base = forkedBase(document);
  return { ...document, fields, edits, base, ...changedState(document) };
}

/** Returns the pending tombstone of a deleted document, also of one that this client cannot read. */
export function asDeleted(document: LocalDocument): LocalDocument {
  const base = forkedBase(document);
  return {
    ...document,
    fields: {},
    edits: {},
    base,
    deleted: true,
    pending: 1,
    rev: document.rev + 1,
    code: null,
  };
}

/**
 * Returns false for a tombstone of a document that the server never had, as far as this device knows. It is sent
 * nevertheless.
 */
export function isVisibleChange({ deleted, seq }: Pick<LocalDocument, 'deleted' | 'seq'>): boolean {
  return !deleted || seq !== null;
}
