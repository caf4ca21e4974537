import { restoredEntryId, type Loser } from '../../schemas/local-record.ts';
import { journalEntryNotFound } from '../../schemas/messages.ts';
import { fileOf, removal } from '../../schemas/remove-file.ts';
import type { FieldValue, SyncedCollection } from '../../schemas/sync-state.ts';
import type { Collections } from './collections.ts';
import { CommandError, type Repairs } from './commands.ts';
import { derivedId } from './derived-id.ts';
import type { RxDocuments } from './rx-documents.ts';

export interface RepairsDeps {
  readonly documents: RxDocuments;
  readonly collections: Collections;
}

const versionNotFound = 'This version is not there any more';

/** A field that has a stamp but no value had been cleared. */
function lostValues({ fields, edits }: Loser): Record<string, FieldValue | null> {
  return Object.fromEntries(Object.keys(edits).map((name) => [name, fields[name] ?? null]));
}

/**
 * What the owner decides of documents that sync could not. Where two documents change, the new one comes first and has
 * an id derived from the old: cut off in between and done again, nothing is lost or doubled. Of what the first view has
 * too it imports nothing but errors and sentences, so that the bundler leaves that in one piece.
 */
export function createRepairs({ documents, collections }: RepairsDeps): Repairs {
  const { pets, journal_entries: entries, local } = collections;

  /** Without a tombstone: the server never had it. */
  const forget = async (collection: SyncedCollection, id: string): Promise<void> => {
    const row =
      collection === 'pets' ? await pets.findOne(id).exec() : await entries.findOne(id).exec();
    await row?.incrementalRemove();
  };

  const discard = async (collection: SyncedCollection, id: string): Promise<void> => {
    const found = await documents.read(collection, id);
    if (found === null) return;
    if (found.base === null) {
      await forget(collection, id);
      return;
    }
    await documents.change(collection, id, (document) => ({
      ...document,
      ...(document.base ?? { fields: document.fields, edits: document.edits }),
      deleted: false,
      pending: 0,
      base: null,
      code: null,
    }));
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
    await documents.add({ collection, id: await derivedId(entryId), petId, fields });
    await documents.remove('entries', entryId);
  };

  /** As a new document: a deleted one never comes back. */
  const restoreDeleted = async (
    { collection, documentId, petId, fields, keptAtMs }: Loser,
    id: string,
  ): Promise<void> => {
    if (collection === 'pets') {
      await documents.add({ collection, id, petId: null, fields });
      return;
    }
    // What lost may be the text alone.
    const whole = { createdDate: keptAtMs, type: 'note', ...fields };
    await documents.add({ collection, id, petId: petId ?? '', fields: whole });
    // The recording of the deleted entry, which this device has kept for it, goes to the new one.
    const data = { kind: 'restored-entry', documentId, entryId: id } as const;
    await local.incrementalUpsert({ id: restoredEntryId(id), kind: data.kind, data });
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
      await documents.change(data.collection, data.documentId, (document) =>
        documents.edited(document, lostValues(data)),
      );
    }
    await row?.incrementalRemove();
  };

  return {
    retry: (collection, id) =>
      documents.change(collection, id, (document) => ({ ...document, pending: 1, code: null })),
    discard,
    moveEntry,
    restoreLoser,
    discardLoser: async (loserId) => {
      const row = await local.findOne(loserId).exec();
      const loser = row?.toMutableJSON().data;
      const name = loser?.kind === 'loser' ? fileOf(loser) : null;
      if (loser?.kind === 'loser' && name !== null) {
        const [id, data] = removal({ collection: loser.collection, id: loser.documentId }, name);
        await local.incrementalUpsert({ id, kind: data.kind, data });
      }
      await row?.incrementalRemove();
    },
  };
}
