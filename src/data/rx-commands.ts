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
import { noteTextSchema, storedEntrySchema } from '../../schemas/journal-entry.ts';
import { deletePetJobId, type Loser } from '../../schemas/local-record.ts';
import { journalEntryNotFound } from '../../schemas/messages.ts';
import { petNameSchema, storedPetSchema } from '../../schemas/pet.ts';
import type { FieldValue, Fields, SyncedCollection } from '../../schemas/sync-state.ts';
import type { Collections } from './collections.ts';
import { CommandError, type Commands } from './commands.ts';

export interface CommandsDeps {
  readonly uid: string;
  readonly collections: Collections;
  /** Epoch milliseconds of this device's clock, as an owner reads it. */
  readonly now: () => number;
  /** Epoch milliseconds of this device's clock, corrected by the server's. */
  readonly correctedNow: () => number;
  readonly newId: () => string;
  /** Tombstones a pet and its journal; also run at the next start if it did not end. */
  readonly runDeletePetJob: (petId: string) => Promise<void>;
  /** Something was stored that sync should hear of. */
  readonly onWritten: () => void;
}

const notStored =
  'This could not be stored on your device, so it was not saved. Free some space and try again.';
const dogNotFound = 'This dog is not on this device';
const versionNotFound = 'This version is not there any more';

/** How a document is changed in place: RxDB runs it again if somebody else wrote in between. */
type Change = (document: LocalDocument) => LocalDocument;

function toCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof v.ValiError) {
    return new CommandError('invalid', error.message, { cause: error });
  }
  return new CommandError('storage', notStored, { cause: error });
}

function requireFound<T>(found: T | null, sentence: string): T {
  if (found === null) throw new CommandError('not-found', sentence);
  return found;
}

/** Keeps what RxDB itself stores in a row, and drops fields that the change has cleared. */
function replaceRow<Row extends PetRow | EntryRow>(raw: Row, next: Row): Row {
  const own = Object.entries(raw).filter(([name]) => name.startsWith('_'));
  return { ...next, ...Object.fromEntries(own) };
}

/** A field that has a stamp but no value had been cleared. */
function lostValues({ fields, edits }: Loser): Record<string, FieldValue | null> {
  return Object.fromEntries(Object.keys(edits).map((name) => [name, fields[name] ?? null]));
}

export function createCommands(deps: CommandsDeps): Commands {
  const { pets, journal_entries: entries, local } = deps.collections;
  let lastCreatedMs = 0;

  /** Strictly rising, so that notes written within one millisecond keep their order. */
  const nextCreatedDate = (): number => {
    lastCreatedMs = Math.max(deps.now(), lastCreatedMs + 1);
    return lastCreatedMs;
  };

  const identity = (collection: SyncedCollection, petId: string | null) => ({
    collection,
    id: deps.newId(),
    ownerId: deps.uid,
    petId,
  });

  const insertPet = async (fields: Fields): Promise<string> => {
    const row = toPetRow(newDocument(identity('pets', null), fields, deps.correctedNow()));
    v.parse(storedPetSchema, row);
    await pets.insert(row);
    return row.id;
  };

  const insertEntry = async (petId: string, fields: Fields): Promise<string> => {
    const row = toEntryRow(newDocument(identity('entries', petId), fields, deps.correctedNow()));
    v.parse(storedEntrySchema, row);
    await entries.insert(row);
    return row.id;
  };

  const changePet = async (id: string, change: Change): Promise<void> => {
    const found = requireFound(await pets.findOne(id).exec(), dogNotFound);
    await found.incrementalModify((raw) => replaceRow(raw, toPetRow(change(fromPetRow(raw)))));
  };

  const changeEntry = async (id: string, change: Change): Promise<void> => {
    const found = requireFound(await entries.findOne(id).exec(), journalEntryNotFound);
    await found.incrementalModify((raw) => replaceRow(raw, toEntryRow(change(fromEntryRow(raw)))));
  };

  const changeDocument = (collection: SyncedCollection, id: string, change: Change) =>
    collection === 'pets' ? changePet(id, change) : changeEntry(id, change);

  const readDocument = async (collection: SyncedCollection, id: string) => {
    if (collection === 'pets') {
      const row = await pets.findOne(id).exec();
      return row === null ? null : fromPetRow(row.toMutableJSON());
    }
    const row = await entries.findOne(id).exec();
    return row === null ? null : fromEntryRow(row.toMutableJSON());
  };

  const forget = async (collection: SyncedCollection, id: string): Promise<void> => {
    const row =
      collection === 'pets' ? await pets.findOne(id).exec() : await entries.findOne(id).exec();
    await row?.incrementalRemove();
  };

  const hasLivePet = async (petId: string): Promise<boolean> => {
    const pet = await pets.findOne(petId).exec();
    return pet !== null && !pet.deleted;
  };

  const discard = async (collection: SyncedCollection, id: string): Promise<void> => {
    const found = await readDocument(collection, id);
    if (found === null) return;
    if (found.base === null) return forget(collection, id);
    await changeDocument(collection, id, (document) => ({
      ...document,
      ...(document.base ?? { fields: document.fields, edits: document.edits }),
      deleted: false,
      pending: 0,
      base: null,
      code: null,
    }));
  };

  const moveEntry = async (entryId: string, petId: string): Promise<void> => {
    const entry = requireFound(await readDocument('entries', entryId), journalEntryNotFound);
    if (!(await hasLivePet(petId))) throw new CommandError('not-found', dogNotFound);
    if (entry.seq === null) {
      await changeEntry(entryId, (document) => ({
        ...withEdit(document, {}, deps.correctedNow()),
        petId,
      }));
      return;
    }
    await insertEntry(petId, entry.fields);
    await changeEntry(entryId, asDeleted);
  };

  const restoreDeleted = async (loser: Loser): Promise<void> => {
    if (loser.collection === 'pets') {
      await insertPet(loser.fields);
      return;
    }
    if (loser.petId === null || !(await hasLivePet(loser.petId))) {
      throw new CommandError('not-found', 'The dog of this note was deleted');
    }
    await insertEntry(loser.petId, loser.fields);
  };

  const restoreLoser = async (loserId: string): Promise<void> => {
    const row = requireFound(await local.findOne(loserId).exec(), versionNotFound);
    const { data } = row.toMutableJSON();
    if (data.kind !== 'loser') throw new CommandError('not-found', versionNotFound);
    const current = await readDocument(data.collection, data.documentId);
    if (current === null || current.deleted) await restoreDeleted(data);
    else {
      await changeDocument(data.collection, data.documentId, (document) =>
        withEdit(document, lostValues(data), deps.correctedNow()),
      );
    }
    await row.incrementalRemove();
  };

  const deletePet = async (petId: string): Promise<void> => {
    const data = { kind: 'delete-pet', petId } as const;
    await local.incrementalUpsert({ id: deletePetJobId(petId), kind: data.kind, data });
    await deps.runDeletePetJob(petId);
  };

  const addNote = async (petId: string, text: string): Promise<string> => {
    if (!(await hasLivePet(petId))) throw new CommandError('not-found', dogNotFound);
    const fields: Record<string, FieldValue> = {
      createdDate: nextCreatedDate(),
      type: 'note',
      text: v.parse(noteTextSchema, text),
    };
    return insertEntry(petId, fields);
  };

  const run = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      const result = await work();
      deps.onWritten();
      return result;
    } catch (error) {
      throw toCommandError(error);
    }
  };

  return {
    createPet: ({ name }) => run(() => insertPet({ name: v.parse(petNameSchema, name) })),
    deletePet: (petId) => run(() => deletePet(petId)),
    addNote: ({ petId, text }) => run(() => addNote(petId, text)),
    deleteEntry: (entryId) => run(() => changeEntry(entryId, asDeleted)),
    retry: (collection, id) =>
      run(() =>
        changeDocument(collection, id, (document) => ({ ...document, pending: 1, code: null })),
      ),
    discard: (collection, id) => run(() => discard(collection, id)),
    moveEntry: (entryId, petId) => run(() => moveEntry(entryId, petId)),
    restoreLoser: (loserId) => run(() => restoreLoser(loserId)),
    discardLoser: (loserId) =>
      run(async () => {
        const row = await local.findOne(loserId).exec();
        await row?.incrementalRemove();
      }),
  };
}
