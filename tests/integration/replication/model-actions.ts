import {
  asDeleted,
  newDocument,
  withEdit,
  type LocalDocument,
} from '../../../schemas/documents/document.ts';
import {
  correctedMs,
  deletePetJobId,
  deviceRecordId,
} from '../../../schemas/local/local-record.ts';
import type {
  FieldValue,
  Fields,
  SyncedCollection,
} from '../../../schemas/documents/sync-state.ts';
import { runDeletePetJob } from '../../../replication/documents/push/delete-pet-job.ts';
import { refKey } from '../../../replication/ports.ts';
import type { ModelContext } from './model-context.ts';
import { tabOf, type ModelDevice } from './model-device.ts';

/** The actions of an owner on one device. Each is acknowledged at once, when the device's own store has it. */
export interface OwnerActions {
  addPet(device: ModelDevice): void;
  addEntry(device: ModelDevice, pick: number): void;
  edit(device: ModelDevice, pick: number, how: EditHow): void;
  /** Stores a transcript on this device for a voice note that waits for one. */
  transcribe(device: ModelDevice, pick: number): void;
  deleteEntry(device: ModelDevice, pick: number): void;
  deletePet(device: ModelDevice, pick: number): void;
  /** Retries all parked documents. */
  retry(device: ModelDevice): void;
}

/** The kind of an edit. The server refuses `refused` permanently, and `refused-today` for a time. */
export type EditHow = 'plain' | 'clear' | 'refused' | 'refused-today';

/** The model's server refuses values with these marks, permanently and for a time. */
export const refusedMark = '#';
export const refusedTodayMark = '!';

const editableFields: Readonly<Record<SyncedCollection, readonly string[]>> = {
  pets: ['name', 'breed', 'description', 'profilePicturePath'],
  entries: ['text', 'fileLocation'],
};

const markOf: Readonly<Record<EditHow, string>> = {
  plain: '',
  clear: '',
  refused: refusedMark,
  'refused-today': refusedTodayMark,
};

function chosen<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % Math.max(1, items.length)];
}

export function createOwnerActions(context: ModelContext): OwnerActions {
  const { ledger, uid } = context;

  /** Returns the device's time with the correction that sync has measured, as commands use it. */
  const stampTime = ({ store, clockOffsetMs }: ModelDevice): number => {
    return correctedMs(store.records().get(deviceRecordId), context.nowMs() + clockOffsetMs);
  };

  const isPetShown = ({ store }: ModelDevice, petId: string): boolean =>
    !store.records().has(deletePetJobId(petId)) &&
    store.documents('pets').some(({ id, deleted }) => id === petId && !deleted);

  /** Returns the live pets, or the live entries of live pets, that an owner sees on this device. */
  const shown = (device: ModelDevice, collection: SyncedCollection): LocalDocument[] =>
    device.store
      .documents(collection)
      .filter(({ deleted, id, petId }) => !deleted && isPetShown(device, petId ?? id));

  const shownAll = (device: ModelDevice): LocalDocument[] => [
    ...shown(device, 'pets'),
    ...shown(device, 'entries'),
  ];

  const create = (
    device: ModelDevice,
    identity: Pick<LocalDocument, 'collection' | 'petId'>,
    fields: Fields,
  ): void => {
    const id = context.newId();
    const document = newDocument({ ...identity, id, ownerId: uid }, fields, stampTime(device));
    device.store.put(document);
    ledger.created(document);
    const key = refKey(document);
    for (const field of editableFields[document.collection]) {
      const token = fields[field];
      if (token === undefined) continue;
      ledger.record({ token: String(token), key, field, parent: null, author: 'person' });
    }
  };

  const put = (
    device: ModelDevice,
    document: LocalDocument,
    changes: Readonly<Record<string, FieldValue | null>>,
  ): void => {
    const edited = withEdit(document, changes, stampTime(device));
    const { isStampRaw } = context.mutation;
    const raw = context.nowMs() + device.clockOffsetMs;
    const stamps = Object.fromEntries(Object.keys(changes).map((name) => [name, raw]));
    const edits = { ...edited.edits, ...stamps };
    device.store.put(isStampRaw === true ? { ...edited, edits } : edited);
  };

  const companions = (document: LocalDocument, field: string, token: string): Fields => {
    if (field === 'profilePicturePath') return { profilePictureVersion: `md5-${token}` };
    const isVoice = document.fields['type'] === 'voice-note';
    return field === 'text' && isVoice ? { transcript: 'edited' } : {};
  };

  const clear = (device: ModelDevice, document: LocalDocument): void => {
    const field = document.collection === 'pets' ? 'description' : 'fileLocation';
    const value = document.fields[field];
    if (value === undefined) return;
    ledger.cleared(String(value));
    put(device, document, { [field]: null });
  };

  const edit = (device: ModelDevice, pick: number, how: EditHow): void => {
    const document = chosen(shownAll(device), pick);
    if (!document) return;
    if (how === 'clear') {
      clear(device, document);
      return;
    }
    const field = chosen(editableFields[document.collection], pick >> 4) ?? 'name';
    const token = ledger.newToken(markOf[how]);
    const before = document.fields[field];
    const parent = before === undefined ? null : String(before);
    ledger.record({ token, key: refKey(document), field, parent, author: 'person' });
    put(device, document, { [field]: token, ...companions(document, field, token) });
  };

  const transcribe = (device: ModelDevice, pick: number): void => {
    const waiting = shown(device, 'entries').filter(
      ({ fields }) => fields['transcript'] === 'waiting',
    );
    const document = chosen(waiting, pick);
    if (!document) return;
    const token = ledger.newToken();
    const key = refKey(document);
    ledger.record({ token, key, field: 'text', parent: null, author: 'machine' });
    put(device, document, { text: token, transcript: 'done' });
  };

  const runJob = async (device: ModelDevice, petId: string): Promise<void> => {
    await runDeletePetJob(tabOf(device, 0).store, petId);
  };

  return {
    addPet: (device) =>
      create(device, { collection: 'pets', petId: null }, { name: ledger.newToken() }),
    addEntry: (device, pick) => {
      const pet = chosen(shown(device, 'pets'), pick);
      if (!pet) return;
      const createdDate = context.nowMs();
      const voice = { type: 'voice-note', transcript: 'waiting', fileLocation: ledger.newToken() };
      const note = { type: 'note', text: ledger.newToken() };
      const fields = { createdDate, ...(pick % 3 === 0 ? voice : note) };
      create(device, { collection: 'entries', petId: pet.id }, fields);
    },
    edit,
    transcribe,
    deleteEntry: (device, pick) => {
      const entry = chosen(shown(device, 'entries'), pick);
      if (!entry) return;
      ledger.deleted(entry);
      device.store.put(asDeleted(entry));
    },
    deletePet: (device, pick) => {
      const pet = chosen(shown(device, 'pets'), pick);
      if (!pet) return;
      device.deletedPets.add(pet.id);
      const data = { kind: 'delete-pet', petId: pet.id } as const;
      void device.store.commit({ records: [[deletePetJobId(pet.id), data]] });
      for (const entry of device.store.documents('entries')) {
        if (entry.petId === pet.id && !entry.deleted) ledger.deleted(entry);
      }
      ledger.deleted(pet);
      void runJob(device, pet.id);
    },
    retry: ({ store }) => {
      for (const document of [...store.documents('pets'), ...store.documents('entries')]) {
        if (document.pending === 2) store.put({ ...document, pending: 1, code: null });
      }
    },
  };
}
