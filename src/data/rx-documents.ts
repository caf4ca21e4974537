import * as v from 'valibot';
import {
  asDeleted,
  fromEntryRow,
  fromPetRow,
  newDocument,
  toEntryRow,
  toPetRow,
  withEdit,
  type EntryRow,
  type LocalDocument,
  type PetRow,
} from '../../schemas/document.ts';
import { storedEntrySchema } from '../../schemas/journal-entry.ts';
import { journalEntryNotFound } from '../../schemas/messages.ts';
import { storedPetSchema } from '../../schemas/pet.ts';
import type { FieldValue, Fields, SyncedCollection } from '../../schemas/sync-state.ts';
import type { Collections } from './collections.ts';
import { CommandError } from './commands.ts';

export interface DocumentsDeps {
  readonly uid: string;
  readonly collections: Pick<Collections, 'pets' | 'journal_entries'>;
  /** Epoch milliseconds of this device's clock, corrected by the server's. */
  readonly correctedNow: () => number;
}

export interface NewDocument {
  readonly collection: SyncedCollection;
  readonly id: string;
  /** The dog of an entry, which must be there; null for a pet. */
  readonly petId: string | null;
  readonly fields: Fields;
}

/** How a document is changed in place: RxDB runs it again if somebody else wrote in between. */
type Change = (document: LocalDocument) => LocalDocument;

/** What commands do with single documents. */
export interface RxDocuments {
  /** Adding what is stored already is done, whatever has become of it. @returns the id. */
  add(document: NewDocument): Promise<string>;
  /** Fails if there is no such document. */
  change(collection: SyncedCollection, id: string, change: Change): Promise<void>;
  /** Leaves a tombstone for the server. @returns the document as it was. */
  remove(collection: SyncedCollection, id: string): Promise<LocalDocument>;
  /** The document as an owner's edit of now leaves it; null clears a field. */
  edited(
    document: LocalDocument,
    changes: Readonly<Record<string, FieldValue | null>>,
  ): LocalDocument;
  read(collection: SyncedCollection, id: string): Promise<LocalDocument | null>;
  /** Fails with a sentence if there is no such dog, or it was deleted. */
  requirePet(petId: string): Promise<void>;
}

const dogNotFound = 'This dog is not on this device';

function requireFound<T>(found: T | null, sentence: string): T {
  if (found === null) throw new CommandError('not-found', sentence);
  return found;
}

/** Keeps what RxDB itself stores in a row, and drops fields that the change has cleared. */
function replaceRow<Row extends PetRow | EntryRow>(raw: Row, next: Row): Row {
  const own = Object.entries(raw).filter(([name]) => name.startsWith('_'));
  return { ...next, ...Object.fromEntries(own) };
}

export function createDocuments({ uid, collections, correctedNow }: DocumentsDeps): RxDocuments {
  const { pets, journal_entries: entries } = collections;

  const read = async (collection: SyncedCollection, id: string) => {
    if (collection === 'pets') {
      const row = await pets.findOne(id).exec();
      return row === null ? null : fromPetRow(row.toMutableJSON());
    }
    const row = await entries.findOne(id).exec();
    return row === null ? null : fromEntryRow(row.toMutableJSON());
  };

  const requirePet = async (petId: string): Promise<void> => {
    const pet = await pets.findOne(petId).exec();
    if (pet === null || pet.deleted) throw new CommandError('not-found', dogNotFound);
  };

  const insert = async ({ fields, ...identity }: NewDocument): Promise<void> => {
    const document = newDocument({ ...identity, ownerId: uid }, fields, correctedNow());
    if (identity.petId === null) {
      const row = toPetRow(document);
      v.parse(storedPetSchema, row);
      await pets.insert(row);
    } else {
      await requirePet(identity.petId);
      const row = toEntryRow(document);
      v.parse(storedEntrySchema, row);
      await entries.insert(row);
    }
  };

  const change: RxDocuments['change'] = async (collection, id, next) => {
    if (collection === 'pets') {
      const found = requireFound(await pets.findOne(id).exec(), dogNotFound);
      await found.incrementalModify((raw) => replaceRow(raw, toPetRow(next(fromPetRow(raw)))));
    } else {
      const found = requireFound(await entries.findOne(id).exec(), journalEntryNotFound);
      await found.incrementalModify((raw) => replaceRow(raw, toEntryRow(next(fromEntryRow(raw)))));
    }
  };

  const remove: RxDocuments['remove'] = async (collection, id) => {
    const seen: LocalDocument[] = [];
    await change(collection, id, (document) => {
      seen.push(document);
      return asDeleted(document);
    });
    return requireFound(seen.at(-1) ?? null, journalEntryNotFound);
  };

  return {
    read,
    requirePet,
    change,
    remove,
    edited: (document, changes) => withEdit(document, changes, correctedNow()),
    add: async (document) => {
      const { collection, id } = document;
      try {
        await insert(document);
      } catch (error) {
        if ((await read(collection, id)) === null) throw error;
      }
      return id;
    },
  };
}
