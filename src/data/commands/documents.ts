import * as v from 'valibot';
import {
  asDeleted,
  newDocument,
  withEdit,
  type LocalDocument,
} from '../../../schemas/documents/document.ts';
import { entryFieldsSchema } from '../../../schemas/documents/journal-entry.ts';
import { journalEntryNotFound, petDeleted, petNotFound } from '../../../schemas/copy/form-copy.ts';
import { petFieldsSchema } from '../../../schemas/documents/pet.ts';
import type {
  FieldValue,
  Fields,
  SyncedCollection,
} from '../../../schemas/documents/sync-state.ts';
import { commitPlanned } from '../../../store/change-documents.ts';
import {
  together,
  type DocumentStore,
  type RecordWrite,
  type Stored,
  type Swap,
  type Writes,
} from '../../../store/document-store.ts';
import { derivedId } from '../../../store/derived-id.ts';
import { CommandError } from './commands.ts';

export interface DocumentsDeps {
  readonly uid: string;
  readonly store: DocumentStore;
  /** Epoch milliseconds of this device's clock, corrected by the server's. */
  readonly correctedNow: () => number;
}

export interface NewDocument {
  readonly collection: SyncedCollection;
  readonly id: string;
  /** The dog of an entry, which must exist; null for a pet. */
  readonly petId: string | null;
  readonly fields: Fields;
}

/** The writes that add a document; empty if it is stored already. */
export type Added = Required<Pick<Writes, 'swaps' | 'livePets'>>;

/** Plans to change a document from its read state; the plan is empty if nothing changes. */
export function swapOf(from: Stored, to: LocalDocument): readonly Swap[] {
  return to === from.document ? [] : [{ from, to }];
}

function check({ to }: Swap): void {
  v.parse(to.collection === 'pets' ? petFieldsSchema : entryFieldsSchema, to.fields);
}

export type Documents = ReturnType<typeof createDocuments>;

/** The operations of commands on single documents. */
export function createDocuments({ uid, store, correctedNow }: DocumentsDeps) {
  const read = async (collection: SyncedCollection, id: string): Promise<Stored | null> =>
    (await store.get(collection, [id])).get(id) ?? null;

  /** Returns the id, or the first one derived from it that no deleted document has: a tombstone stays. */
  const freeId = async (collection: SyncedCollection, id: string): Promise<string> => {
    const found = await read(collection, id);
    return found?.document.deleted === true ? freeId(collection, await derivedId(id)) : id;
  };

  const requireOne = async (collection: SyncedCollection, id: string): Promise<Stored> => {
    const found = await read(collection, id);
    const sentence = collection === 'pets' ? petNotFound : journalEntryNotFound;
    if (found === null) throw new CommandError('not-found', sentence);
    return found;
  };

  /** Rejects with a sentence if there is no such dog, or it was deleted. */
  const requirePet = async (petId: string): Promise<Stored> => {
    const found = await requireOne('pets', petId);
    if (found.document.deleted) throw new CommandError('not-found', petDeleted);
    return found;
  };

  /** Commits a plan. It is planned again from the stored state for as long as another writer conflicts. */
  const commit = (plan: () => Promise<Writes | null>): Promise<void> => commitPlanned(store, plan);

  const newOne = ({ fields, ...identity }: NewDocument): Added => {
    const { petId } = identity;
    const document = newDocument({ ...identity, ownerId: uid }, fields, correctedNow());
    return { swaps: [{ from: null, to: document }], livePets: petId === null ? [] : [petId] };
  };

  /**
   * Plans to add a document in place of one that is gone; the plan is empty if it is stored already. The content is not
   * checked: an earlier client may have stored more than is allowed today, which must not get lost.
   */
  const planAdd = async (document: NewDocument): Promise<Added> => {
    const { collection, id, petId } = document;
    if ((await read(collection, id)) !== null) return { swaps: [], livePets: [] };
    if (petId !== null) await requirePet(petId);
    // The server takes no new entry without a date, which an entry of an earlier client may lack.
    const date = collection === 'entries' ? { createdDate: correctedNow() } : {};
    return newOne({ ...document, fields: { ...date, ...document.fields } });
  };

  return {
    commit,
    planAdd,
    freeId,
    read,
    requirePet,
    /** Returns the document after an edit of the owner made now; null clears a field. */
    edited: (
      document: LocalDocument,
      changes: Readonly<Record<string, FieldValue | null>>,
    ): LocalDocument => withEdit(document, changes, correctedNow()),
    /**
     * Adds a document; does nothing if it is stored already, even as a tombstone. Rejects if its content is not valid.
     * @param also further writes of the same commit, which are skipped as well if it is stored already.
     * @returns whether it was added.
     */
    add: async (
      document: NewDocument,
      also: () => Promise<Writes> = async () => ({}),
    ): Promise<boolean> => {
      const first = newOne(document);
      first.swaps.forEach(check);
      // The first attempt reads no document, because conflicts are rare and the commit detects them.
      if (await store.commit(together(first, await also()))) return true;
      let isAdded = false;
      await commit(async () => {
        const added = await planAdd(document);
        isAdded = added.swaps.length > 0;
        return isAdded ? together(added, await also()) : null;
      });
      return isAdded;
    },
    /** Changes a document. Rejects if there is none. */
    change: (
      collection: SyncedCollection,
      id: string,
      change: (document: LocalDocument) => LocalDocument,
    ) =>
      commit(async () => {
        const from = await requireOne(collection, id);
        return { swaps: swapOf(from, change(from.document)) };
      }),
    /**
     * Replaces an entry by a tombstone, with the records that belong to it. Rejects if there is no such entry.
     * @returns the entry before the deletion.
     */
    removeEntry: async (
      id: string,
      recordsOf: (document: LocalDocument) => readonly RecordWrite[],
    ): Promise<LocalDocument> => {
      let before = await requireOne('entries', id);
      await commit(async () => {
        before = await requireOne('entries', id);
        if (before.document.deleted) return null;
        const swap = { from: before, to: asDeleted(before.document) };
        return { swaps: [swap], records: recordsOf(before.document) };
      });
      return before.document;
    },
  };
}
