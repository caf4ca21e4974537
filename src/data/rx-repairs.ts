import type { EntryRow, PetRow } from '../../schemas/document.ts';
import {
  checkpointId,
  restoredEntryId,
  type LocalRecord,
  type Loser,
} from '../../schemas/local-record.ts';
import { journalEntryNotFound } from '../../schemas/messages.ts';
import { hasForeignFile, placeFile, withoutFile } from '../../schemas/place-file.ts';
import { fileOf, removal, removalsOf } from '../../schemas/remove-file.ts';
import type { FieldValue, SyncedCollection } from '../../schemas/sync-state.ts';
import type { Collections } from './collections.ts';
import { CommandError, type Repairs } from './commands.ts';
import { derivedId } from './derived-id.ts';
import type { NewDocument, RxDocuments } from './rx-documents.ts';

export interface RepairsDeps {
  readonly documents: RxDocuments;
  readonly collections: Collections;
  /** Epoch milliseconds of this device's clock, corrected by the server's. */
  readonly correctedNow: () => number;
}

const versionNotFound = 'This version is not there any more';

/** A field that has a stamp but no value had been cleared. */
function lostValues({ fields, edits }: Loser): Record<string, FieldValue | null> {
  return Object.fromEntries(Object.keys(edits).map((name) => [name, fields[name] ?? null]));
}

function dropParked<Row extends PetRow | EntryRow>(row: Row): Row {
  return row.pending === 2 && row.base === null ? { ...row, _deleted: true } : row;
}

/**
 * What the owner decides of documents that sync could not. Where two documents change, the new one comes first and has
 * an id derived from the old: cut off in between and done again, nothing is lost or doubled. Of what the first view has
 * too it imports nothing but errors and sentences, so that the bundler leaves that in one piece.
 */
export function createRepairs({ documents, collections, correctedNow }: RepairsDeps): Repairs {
  const { pets, journal_entries: entries, local } = collections;

  /** Without a tombstone: the server never had it. What was tried again or synced meanwhile stays. */
  const forget = async (collection: SyncedCollection, id: string): Promise<void> => {
    if (collection === 'pets') await (await pets.findOne(id).exec())?.incrementalModify(dropParked);
    else await (await entries.findOne(id).exec())?.incrementalModify(dropParked);
  };

  /** Has the next pull bring again what the server has had since `seq`: a lower checkpoint is always a safe one. */
  const pullAgainAfter = async (collection: SyncedCollection, seq: number): Promise<void> => {
    const row = await local.findOne(checkpointId).exec();
    await row?.incrementalModify((record) => {
      const { data } = record;
      if (data.kind !== 'checkpoint') return record;
      const lower = { ...data.seq, [collection]: Math.min(seq, data.seq[collection]) };
      return { ...record, data: { ...data, seq: lower } };
    });
  };

  const discard = async (collection: SyncedCollection, id: string): Promise<void> => {
    const found = await documents.read(collection, id);
    if (found === null) return;
    if (found.base === null) {
      await forget(collection, id);
      return;
    }
    // The base is older than what this client could not read: it stays read-only until it is pulled again.
    const isOld = found.code === 'newer-schema';
    await documents.change(collection, id, (document) =>
      document.pending === 0 || document.base === null
        ? document
        : {
            ...document,
            ...document.base,
            deleted: false,
            pending: 0,
            base: null,
            code: isOld ? 'newer-schema' : null,
          },
    );
    if (isOld) await pullAgainAfter(collection, found.seq ?? 0);
  };

  const writeRecord = async ([id, data]: readonly [string, LocalRecord]): Promise<void> => {
    await local.upsert({ id, kind: data.kind, data });
  };

  /**
   * Adds a document that takes the place of another. A file in a folder that is not its own is brought there by a job, and
   * the document goes without it until then.
   */
  const addInPlaceOf = async (sourceId: string, document: NewDocument): Promise<void> => {
    if (!hasForeignFile(document)) {
      await documents.add(document);
      return;
    }
    await writeRecord(placeFile(document, sourceId, correctedNow()));
    await documents.add({ ...document, fields: withoutFile(document.fields) });
  };

  const retry = async (collection: SyncedCollection, id: string): Promise<void> => {
    const found = await documents.read(collection, id);
    const isForeign = found !== null && !found.deleted && hasForeignFile(found);
    if (isForeign) {
      const folder = fileOf(found)?.split('/')[1] ?? id;
      const sourceId = collection === 'pets' ? folder : id;
      await writeRecord(placeFile(found, sourceId, correctedNow()));
    }
    await documents.change(collection, id, (document) => {
      if (document.pending !== 2) return document;
      const waiting = { ...document, pending: 1, code: null } as const;
      if (!isForeign) return waiting;
      const { fields, edits } = document;
      return { ...waiting, fields: withoutFile(fields), edits: withoutFile(edits) };
    });
  };

  const retryAll = async (): Promise<void> => {
    const selector = { pending: 2 } as const;
    const parked = {
      pets: await pets.find({ selector }).exec(),
      entries: await entries.find({ selector }).exec(),
    };
    for (const { id } of parked.pets) await retry('pets', id);
    for (const { id } of parked.entries) await retry('entries', id);
  };

  const moveEntry = async (entryId: string, petId: string): Promise<void> => {
    const entry = await documents.read('entries', entryId);
    if (entry === null) throw new CommandError('not-found', journalEntryNotFound);
    await documents.requirePet(petId);
    if (entry.deleted) return;
    if (entry.seq === null) {
      await documents.change('entries', entryId, (document) => ({
        ...documents.edited(document, {}),
        petId,
      }));
      return;
    }
    const { collection, fields } = entry;
    await addInPlaceOf(entryId, { collection, id: await derivedId(entryId), petId, fields });
    for (const job of removalsOf(entry)) await writeRecord(job);
    await documents.remove('entries', entryId);
  };

  /** As a new document: a deleted one never comes back. */
  const restoreDeleted = async (
    { collection, documentId, petId, fields, keptAtMs }: Loser,
    id: string,
  ): Promise<void> => {
    if (collection === 'pets') {
      await addInPlaceOf(documentId, { collection, id, petId: null, fields });
      return;
    }
    // What lost may be the text alone.
    const whole = { createdDate: keptAtMs, type: 'note', ...fields };
    await addInPlaceOf(documentId, { collection, id, petId: petId ?? '', fields: whole });
    // The recording of the deleted entry, which this device has kept for it, goes to the new one.
    const data = { kind: 'restored-entry', documentId, entryId: id } as const;
    await local.upsert({ id: restoredEntryId(id), kind: data.kind, data });
  };

  const restoreLoser = async (loserId: string, petId?: string): Promise<void> => {
    const row = await local.findOne(loserId).exec();
    const data = row?.toMutableJSON().data;
    if (data?.kind !== 'loser') throw new CommandError('not-found', versionNotFound);
    const current = await documents.read(data.collection, data.documentId);
    if (current === null || current.deleted) {
      const loser = petId === undefined ? data : { ...data, petId };
      await restoreDeleted(loser, await derivedId(loserId));
    } else {
      const { collection, documentId, fields } = data;
      // All pictures of a dog have one name, so an older one has to be sent again.
      if (collection === 'pets' && fileOf(data) !== null) {
        const version = { collection, id: documentId, petId: null, fields };
        await writeRecord(placeFile(version, documentId, correctedNow()));
      }
      const values = collection === 'pets' ? withoutFile(lostValues(data)) : lostValues(data);
      if (Object.keys(values).length > 0) {
        await documents.change(collection, documentId, (document) =>
          documents.edited(document, values),
        );
      }
    }
    await row?.incrementalRemove();
  };

  return {
    retry,
    retryAll,
    discard,
    moveEntry,
    restoreLoser,
    discardLoser: async (loserId) => {
      const row = await local.findOne(loserId).exec();
      const loser = row?.toMutableJSON().data;
      const name = loser?.kind === 'loser' ? fileOf(loser) : null;
      if (loser?.kind === 'loser' && name !== null) {
        const [id, data] = removal({ collection: loser.collection, id: loser.documentId }, name);
        await local.upsert({ id, kind: data.kind, data });
      }
      await row?.incrementalRemove();
    },
  };
}
