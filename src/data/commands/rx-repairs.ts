import {
  asDeleted,
  newerSchemaCode,
  type LocalDocument,
} from '../../../schemas/documents/document.ts';
import {
  placeFileJobId,
  pullAgainId,
  type ConflictVersion,
} from '../../../schemas/local/local-record.ts';
import { journalEntryNotFound, petDeleted } from '../../../schemas/copy/form-copy.ts';
import {
  hasForeignFile,
  placeFile,
  unplacedPicture,
  withoutFile,
} from '../../../schemas/local/place-file.ts';
import { pictureJobId, pictureStamp } from '../../../schemas/local/outbox-job.ts';
import { deletionRecords, fileOf, removal } from '../../../schemas/local/remove-file.ts';
import { replacedVersion } from '../../../schemas/local/conflict-version.ts';
import type { Base, FieldValue, SyncedCollection } from '../../../schemas/documents/sync-state.ts';
import type { RecordWrite, Stored, Writes } from '../../../store/document-store.ts';
import { pagesOf } from '../../../store/indexeddb/pages.ts';
import { CommandError, type Repairs } from './commands.ts';
import { derivedId } from '../../../store/derived-id.ts';
import { swapOf, type Documents, type DocumentsDeps, type NewDocument } from './documents.ts';

export interface RepairsDeps extends Omit<DocumentsDeps, 'uid'> {
  readonly documents: Documents;
}

const versionNotFound = 'This version is not there any more';

/** Returns the fields that lost the merge. A field that has a stamp but no value was cleared. */
function lostValues({ fields, edits }: ConflictVersion): Record<string, FieldValue | null> {
  return Object.fromEntries(Object.keys(edits).map((name) => [name, fields[name] ?? null]));
}

/** Returns the base of the change: the server's version when the owner's change began. */
function asBefore(document: LocalDocument, base: Base): LocalDocument {
  const { code } = document;
  // The base is older than the version that this client could not read, so it stays read-only until the next pull.
  const isOld = code === newerSchemaCode;
  const clean = { deleted: false, pending: 0, base: null, code: isOld ? code : null } as const;
  return { ...document, ...base, ...clean };
}

/**
 * Plans to forget a parked document that the server never had, without a tombstone, or to restore the base of another.
 * A document that was edited, retried or synced since stays as it is.
 */
function planDiscard(found: Stored): Writes {
  const { collection, id, base, pending, code, seq } = found.document;
  if (pending !== 2) return {};
  const again = { kind: 'pull-again', collection, seq: seq ?? 0 } as const;
  const records = code === newerSchemaCode ? [[pullAgainId(id), again] as const] : [];
  if (base === null) return { forgotten: [found], records };
  return { swaps: [{ from: found, to: asBefore(found.document, base) }], records };
}

/**
 * Creates the commands for conflicts and parked documents. Each decision is one commit, and a new document has an id
 * derived from the old one, so a repeated command neither loses nor duplicates anything. From modules of the first
 * view, this module imports only errors and sentences, so that the bundler keeps those modules in one chunk.
 */
export function createRepairs({ documents, store, correctedNow }: RepairsDeps): Repairs {
  /**
   * Plans a document that takes the place of another. If its file lies in another document's folder, a job copies the
   * file, and the document is added without it until then.
   */
  const planInPlaceOf = async (sourceId: string, document: NewDocument): Promise<Writes> => {
    if (!hasForeignFile(document)) return documents.planAdd(document);
    const { fields } = document;
    const added = await documents.planAdd({ ...document, fields: withoutFile(fields) });
    if (added.swaps.length === 0) return added;
    return { ...added, records: [placeFile(document, sourceId, correctedNow())] };
  };

  /** Plans to replace a document by one that names no file in another folder: a job supplies that file. */
  const planWithOwnFile = (found: Stored, to: LocalDocument): Writes => {
    if (!hasForeignFile(to)) return { swaps: [{ from: found, to }] };
    const { collection, id, fields, edits } = to;
    const folder = fileOf(to)?.split('/')[1] ?? id;
    const sourceId = collection === 'pets' ? folder : id;
    const records = [placeFile(to, sourceId, correctedNow())];
    const without = { ...to, fields: withoutFile(fields), edits: withoutFile(edits) };
    return { swaps: [{ from: found, to: without }], records };
  };

  const planRetry = (found: Stored): Writes => {
    const { document } = found;
    // A retry must not overwrite a document of a newer schema, which this client cannot read.
    const isUnread = document.code === newerSchemaCode;
    if (document.pending !== 2 || (isUnread && !document.deleted)) return {};
    const to = { ...document, pending: 1, code: null } as const;
    if (document.deleted)
      return { swaps: [{ from: found, to }], records: deletionRecords(document) };
    return planWithOwnFile(found, to);
  };

  const retry = (collection: SyncedCollection, id: string): Promise<void> =>
    documents.commit(async () => {
      const found = await documents.read(collection, id);
      return found === null ? null : planRetry(found);
    });

  const retryAll = async (): Promise<void> => {
    for (const collection of ['pets', 'entries'] as const) {
      for await (const page of pagesOf((at) => store.listPending(collection, 2, at))) {
        for (const { document } of page) await retry(collection, document.id);
      }
    }
  };

  const planMove = async (entryId: string, petId: string): Promise<Writes | null> => {
    const found = await documents.read('entries', entryId);
    if (found === null) throw new CommandError('not-found', journalEntryNotFound);
    await documents.requirePet(petId);
    const entry = found.document;
    if (entry.deleted) return null;
    if (entry.seq === null) {
      const to = { ...documents.edited(entry, {}), petId };
      return { ...planWithOwnFile(found, to), livePets: [petId] };
    }
    const { collection, fields } = entry;
    let id = await documents.freeId(collection, await derivedId(entryId));
    const { text } = fields;
    const isUnsent = entry.pending > 0 && text !== undefined && text !== entry.base?.fields['text'];
    const there = isUnsent ? await documents.read(collection, id) : null;
    // Another device has moved it without that text. Its successor has the id that is derived from its own.
    if (there !== null && there.document.fields['text'] !== text)
      id = await documents.freeId(collection, await derivedId(`${id} beside ${entryId}`));
    const added = await planInPlaceOf(entryId, { collection, id, petId, fields });
    return {
      ...added,
      swaps: [...(added.swaps ?? []), { from: found, to: asDeleted(entry) }],
      records: [...(added.records ?? []), ...deletionRecords(entry)],
    };
  };

  /** Plans a new document from the version: a tombstone never comes back to life, and an entry keeps its dog. */
  const planRestoreNew = async (
    { collection, documentId, petId, fields, keptAtMs }: ConflictVersion,
    id: string,
  ): Promise<Writes> => {
    if (collection === 'pets') {
      // A version of an edit has only the values that were edited, and there is no dog without a name.
      if (fields['name'] === undefined) throw new CommandError('not-found', petDeleted);
      const pet = { collection, id, petId: null, fields };
      const added = await planInPlaceOf(documentId, pet);
      // The picture that the deleted dog was to get, but does not name yet.
      const waiting = await store.readRecord(pictureJobId(documentId));
      if (waiting === null) return added;
      return { ...added, records: [placeFile(pet, documentId, correctedNow())] };
    }
    const whole = { createdDate: keptAtMs, type: 'note', ...fields };
    const entry = { collection, id, petId: petId ?? '', fields: whole };
    const added = await planInPlaceOf(documentId, entry);
    // The file is sent even from its own folder: the server may have lost it, and this device has kept it for the
    // version.
    return { ...added, records: [placeFile(entry, documentId, correctedNow())] };
  };

  /**
   * Returns the conflict version that takes the place of a restored one: the values of a dog that it replaces. A text of
   * an entry is kept among its former texts instead.
   */
  const replacedBy = (
    version: ConflictVersion,
    values: Readonly<Record<string, FieldValue | null>>,
    document: LocalDocument,
  ): readonly RecordWrite[] => {
    const { fields } = document;
    const isReplaced = (name: string): boolean =>
      fields[name] !== undefined && fields[name] !== values[name];
    const names = version.collection === 'pets' ? Object.keys(values).filter(isReplaced) : [];
    const side = version.side === 'local' ? 'server' : 'local';
    return replacedVersion(document, { names, side, keptAtMs: correctedNow() });
  };

  const planRestoreValues = async (version: ConflictVersion, current: Stored): Promise<Writes> => {
    const { collection, documentId: id, fields } = version;
    const lost = lostValues(version);
    const values = collection === 'pets' ? withoutFile(lost) : lost;
    const hasValues = Object.keys(values).length > 0;
    const { document } = current;
    const swaps = hasValues ? swapOf(current, documents.edited(document, values)) : [];
    const records = replacedBy(version, values, document);
    if (collection !== 'pets' || fileOf(version) === null) return { swaps, records };
    // All pictures of a dog have one name, so an older one has to be sent again.
    const holder = { collection, id, petId: null, fields };
    // The owner chooses it after the one that is shown, whatever the clock of the device that chose that.
    const chosenAtMs = Math.max(correctedNow(), pictureStamp(document.edits) + 1);
    const before = unplacedPicture(await store.readRecord(placeFileJobId(id)), correctedNow());
    return { swaps, records: [...records, ...before, placeFile(holder, id, chosenAtMs)] };
  };

  /**
   * Returns the id of a restored document. That of a deleted voice note is the one that Undo would give it, so that a device
   * that still has the recording recognizes it (O4.5), unless that id has other content. All others are derived from the
   * version's.
   */
  const restoredId = async (version: ConflictVersion, versionId: string): Promise<string> => {
    const { collection, documentId, petId, fields, reason } = version;
    const id = await documents.freeId(collection, await derivedId(documentId));
    const before = (await documents.read(collection, id))?.document;
    const wanted = Object.entries(withoutFile({ ...lostValues(version), ...fields }));
    const isSame = wanted.every(([name, value]) => (before?.fields[name] ?? null) === value);
    const isFree = before === undefined || (before.petId === petId && isSame);
    return reason === 'deleted' && fields['type'] === 'voice-note' && isFree
      ? id
      : documents.freeId(collection, await derivedId(versionId));
  };

  const planRestore = async (versionId: string, petId?: string): Promise<Writes> => {
    const version = await store.readRecord(versionId);
    if (version?.kind !== 'conflict-version') throw new CommandError('not-found', versionNotFound);
    const current = await documents.read(version.collection, version.documentId);
    const isNew = petId !== undefined || current === null || current.document.deleted;
    // The version may hold the text alone.
    const fields = { ...current?.document.fields, ...version.fields };
    const whole = { ...version, petId: petId ?? version.petId, fields };
    const plan = isNew
      ? await planRestoreNew(whole, await restoredId(whole, versionId))
      : await planRestoreValues(version, current);
    return { ...plan, records: [...(plan.records ?? []), [versionId, null]] };
  };

  /**
   * Moves the unsent entries of a deleted dog, which the server refuses or will refuse, to the dog that is restored. After a
   * crash the owner can move those that are left.
   */
  const moveWaiting = async (deletedId: string, petId: string): Promise<void> => {
    const planMoveOf = async (id: string): Promise<Writes | null> => {
      const entry = (await documents.read('entries', id))?.document;
      const isWaiting = entry?.petId === deletedId && entry.code !== newerSchemaCode;
      return isWaiting ? planMove(id, petId) : null;
    };
    for (const pending of [1, 2] as const) {
      for await (const page of pagesOf((at) => store.listPending('entries', pending, at))) {
        const own = page.filter(({ document }) => document.petId === deletedId);
        for (const { document } of own) await documents.commit(() => planMoveOf(document.id));
      }
    }
  };

  const restoreConflictVersion: Repairs['restoreConflictVersion'] = async (versionId, petId) => {
    const version = await store.readRecord(versionId);
    let restored: LocalDocument | undefined;
    await documents.commit(async () => {
      const plan = await planRestore(versionId, petId);
      restored = plan.swaps?.find(({ from }) => from === null)?.to;
      return plan;
    });
    if (version?.kind === 'conflict-version' && restored?.collection === 'pets')
      await moveWaiting(version.documentId, restored.id);
  };

  const discardConflictVersion = async (versionId: string): Promise<void> => {
    const version = await store.readRecord(versionId);
    if (version?.kind !== 'conflict-version') return;
    const name = fileOf(version);
    const holder = { collection: version.collection, id: version.documentId };
    const removals = name === null ? [] : [removal(holder, name)];
    await store.commit({ records: [...removals, [versionId, null]] });
  };

  return {
    retry,
    retryAll,
    discard: (collection, id) =>
      documents.commit(async () => {
        const found = await documents.read(collection, id);
        return found === null ? null : planDiscard(found);
      }),
    moveEntry: (...move) => documents.commit(() => planMove(...move)),
    restoreConflictVersion,
    discardConflictVersion,
  };
}
