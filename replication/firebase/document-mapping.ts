import {
  deleteField,
  serverTimestamp,
  Timestamp,
  type DocumentData,
  type FieldValue as Sentinel,
} from 'firebase/firestore/lite';
import * as v from 'valibot';
import { contentFieldNames } from '../../schemas/documents/document.ts';
import { journalEntryTypes, transcriptStates } from '../../schemas/documents/entry-kinds.ts';
import {
  editStampsSchema,
  type FieldValue,
  type Fields,
  type SyncedCollection,
} from '../../schemas/documents/sync-state.ts';
import type { DocumentRef, RemoteDocument, RemoteWrite } from '../ports.ts';

/**
 * Converts between Firestore's values and this device's: an instant is a Timestamp there and epoch milliseconds here, a
 * date of birth is midnight UTC there and `YYYY-MM-DD` here.
 */

/**
 * The version is raised when clients must know more than these fields to understand a document. If absent, it is 1.
 */
const schemaVersion = 1;

const ownerField = { pets: 'ownerId', entries: 'createdBy' } as const;

const instantFields: ReadonlySet<string> = new Set(['createdDate']);
const dateFields: ReadonlySet<string> = new Set(['dob']);
const numberFields: ReadonlySet<string> = new Set(['durationMs']);

const choices: Readonly<Record<string, readonly string[]>> = {
  type: journalEntryTypes,
  transcript: transcriptStates,
};

const metaSchema = v.object({
  seq: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  deleted: v.fallback(v.boolean(), false),
  edits: v.fallback(editStampsSchema, {}),
  updatedAt: v.fallback(v.nullable(v.instance(Timestamp)), null),
  schemaVersion: v.fallback(v.number(), schemaVersion),
});

/** Returns undefined for a value that this client cannot read. */
function toLocalValue(name: string, value: unknown): FieldValue | undefined {
  if (instantFields.has(name)) return value instanceof Timestamp ? value.toMillis() : undefined;
  if (dateFields.has(name)) {
    return value instanceof Timestamp ? value.toDate().toISOString().slice(0, 10) : undefined;
  }
  if (numberFields.has(name)) return typeof value === 'number' ? value : undefined;
  return typeof value === 'string' ? value : undefined;
}

function toRemoteValue(name: string, value: FieldValue): FieldValue | Timestamp {
  if (instantFields.has(name)) return Timestamp.fromMillis(Number(value));
  if (dateFields.has(name)) return Timestamp.fromDate(new Date(`${value}T00:00:00Z`));
  return value;
}

function isKnownChoice(name: string, value: FieldValue): boolean {
  const allowed = choices[name];
  return allowed === undefined || allowed.includes(String(value));
}

function readFields(collection: SyncedCollection, data: DocumentData) {
  const fields: Record<string, FieldValue> = {};
  let readable = true;
  for (const name of contentFieldNames[collection]) {
    const raw: unknown = data[name];
    if (raw === undefined || raw === null) continue;
    const value = toLocalValue(name, raw);
    if (value !== undefined) fields[name] = value;
    readable &&= value !== undefined && isKnownChoice(name, value);
  }
  return { fields: fields as Fields, readable };
}

export function toRemoteDocument(ref: DocumentRef, data: DocumentData): RemoteDocument {
  const meta = v.parse(metaSchema, data);
  const { fields, readable } = readFields(ref.collection, data);
  return {
    collection: ref.collection,
    id: ref.id,
    petId: ref.petId,
    ownerId: String(data[ownerField[ref.collection]]),
    fields: meta.deleted ? {} : fields,
    edits: meta.deleted ? {} : meta.edits,
    deleted: meta.deleted,
    seq: meta.seq,
    updatedAtMs: meta.updatedAt?.toMillis() ?? null,
    newerSchema: !readable || meta.schemaVersion > schemaVersion,
  };
}

export interface FirestoreWrite {
  readonly data: DocumentData;
  /** The fields that this client knows; null replaces the whole document. */
  readonly mask: string[] | null;
}

/** A tombstone replaces the document, so that nothing of its content stays on the server. */
export function toFirestoreWrite(write: RemoteWrite): FirestoreWrite {
  const owner = { [ownerField[write.collection]]: write.ownerId };
  const sync = { seq: write.seq, deleted: write.deleted, updatedAt: serverTimestamp() };
  if (write.deleted) return { data: { ...owner, ...sync }, mask: null };

  const content: Record<string, FieldValue | Timestamp | Sentinel> = {};
  for (const name of contentFieldNames[write.collection]) {
    const value = write.fields[name];
    content[name] = value === undefined ? deleteField() : toRemoteValue(name, value);
  }
  const data = { ...owner, ...content, ...sync, edits: write.edits };
  return { data, mask: Object.keys(data) };
}
