import type { LocalDocument } from '../../../schemas/documents/document.ts';
import type { ConflictVersion } from '../../../schemas/local/local-record.ts';
import { checkpointId } from '../../../schemas/local/local-record.ts';
import { refKey, type Head } from '../../../replication/ports.ts';
import type { ServerDocument } from '../../support/fakes/memory-remote.ts';
import type { Edit, EditLedger } from './edit-ledger.ts';
import type { ModelDevice } from './model-device.ts';
import { refusedMark } from './model-actions.ts';

/** The state at the end of a history. */
export interface Rest {
  readonly devices: readonly ModelDevice[];
  readonly ledger: EditLedger;
  readonly head: Head | null;
  readonly documents: ReadonlyMap<string, ServerDocument>;
}

function documentsOf({ store }: ModelDevice): LocalDocument[] {
  return [...store.documents('pets'), ...store.documents('entries')];
}

function versionsOf({ store }: ModelDevice): ConflictVersion[] {
  return [...store.records().values()].filter((record) => record.kind === 'conflict-version');
}

function isRefusedForGood({ fields }: LocalDocument): boolean {
  return Object.values(fields).some((value) => String(value).includes(refusedMark));
}

/**
 * Returns whether a device may hold the document back: it is refused permanently, deleted with its pet, or waits for a
 * pet that is held back.
 */
function isKeptBack(device: ModelDevice, document: LocalDocument): boolean {
  if (document.pending === 2) return document.code === 'pet-deleted' || isRefusedForGood(document);
  const pet = device.store.documents('pets').find(({ id }) => id === document.petId);
  return pet !== undefined && pet.pending === 2 && isRefusedForGood(pet);
}

function contentKey(document: Pick<LocalDocument, 'fields' | 'edits' | 'deleted' | 'seq'>): string {
  const sorted = (record: object): unknown =>
    Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([
    document.deleted,
    document.seq,
    sorted(document.fields),
    sorted(document.edits),
  ]);
}

function* disagreements({ devices, documents }: Rest): Generator<string> {
  for (const device of devices) {
    const copies = new Map(documentsOf(device).map((document) => [refKey(document), document]));
    for (const [key, copy] of copies) {
      if (copy.pending !== 0) {
        if (!isKeptBack(device, copy)) {
          yield `${key} waits for ever on ${String(device.index)}: ${String(copy.code)}`;
        }
        continue;
      }
      const server = documents.get(key);
      const isObsolete = !server && copy.deleted && copy.seq === null;
      if (isObsolete) continue;
      if (!server) yield `${key} is clean on ${String(device.index)}, but not on the server`;
      else if (contentKey(server) !== contentKey(copy)) {
        yield `${key} on ${String(device.index)} ${contentKey(copy)} server ${contentKey(server)}`;
      }
    }
    for (const key of documents.keys()) {
      if (!copies.has(key)) yield `${key} is missing on ${String(device.index)}`;
    }
  }
}

function* unfinished({ devices, head }: Rest): Generator<string> {
  for (const { index, store } of devices) {
    const checkpoint = store.records().get(checkpointId);
    const { pets, entries } =
      checkpoint?.kind === 'checkpoint' ? checkpoint.seq : { pets: -1, entries: -1 };
    const last = head?.head ?? 0;
    if (pets !== last || entries !== last) {
      yield `checkpoint of ${String(index)} is ${String(pets)}/${String(entries)}, head ${String(last)}`;
    }
    for (const [id, { kind }] of store.records()) {
      if (kind === 'delete-pet' || kind === 'sweep-pet') yield `${id} is left on ${String(index)}`;
    }
  }
}

/** Returns the values that still exist: on the server, in a conflict version, or in a copy on a device. */
function keptTokens({ devices, documents }: Rest): ReadonlySet<string> {
  const fields = [
    ...[...documents.values()].map((document) => document.fields),
    ...devices.flatMap((device) => versionsOf(device).map((version) => version.fields)),
    ...devices.flatMap((device) => documentsOf(device).map((document) => document.fields)),
  ];
  return new Set(fields.flatMap((one) => Object.values(one).map(String)));
}

function* lostEdits(rest: Rest): Generator<string> {
  const kept = keptTokens(rest);
  for (const { token, key, field } of rest.ledger.edits()) {
    if (!kept.has(token) && !rest.ledger.isSuperseded(token)) yield `${key} ${field} lost ${token}`;
  }
}

/** Returns the documents of which a device holds a copy back. The owner sees that copy and the reason. */
function keptBackKeys({ devices }: Rest): ReadonlySet<string> {
  const waiting = devices.flatMap(documentsOf).filter(({ pending }) => pending !== 0);
  return new Set(waiting.map(refKey));
}

/** Yields documents whose final value is an edit that was seen and replaced. */
function* wrongWinners(rest: Rest): Generator<string> {
  const keptBack = keptBackKeys(rest);
  for (const [key, { fields }] of rest.documents) {
    if (keptBack.has(key)) continue;
    for (const value of Object.values(fields)) {
      const later = rest.ledger.descendants(String(value));
      if (later.size > 0) yield `${key} has ${String(value)}, which became ${[...later].join()}`;
    }
  }
}

function* machineWinners(rest: Rest): Generator<string> {
  const keptBack = keptBackKeys(rest);
  const texts = rest.ledger.edits().filter(({ field }) => field === 'text');
  const isLeft = ({ key, token }: Edit) => rest.documents.get(key)?.fields['text'] === token;
  for (const machine of texts.filter(({ author }) => author === 'machine')) {
    if (keptBack.has(machine.key) || !isLeft(machine)) continue;
    const typed = texts.find(({ key, author }) => key === machine.key && author === 'person');
    if (typed) yield `${machine.key} has a transcript instead of ${typed.token}`;
  }
}

function* wrongDocuments({ documents, ledger, devices }: Rest): Generator<string> {
  for (const [key, { deleted, petId }] of documents) {
    if (!key.includes('/old-') && !ledger.createdKeys().has(key)) yield `${key} was never made`;
    if (!deleted && ledger.deletedKeys().has(key)) yield `${key} has come back`;
    const pet =
      petId === null ? undefined : documents.get(refKey({ collection: 'pets', id: petId }));
    if (!deleted && pet?.deleted === true) yield `${key} is left under a deleted pet`;
  }
  for (const key of ledger.createdKeys()) {
    const isSomewhere = devices.some((device) =>
      documentsOf(device).some((document) => refKey(document) === key),
    );
    if (!documents.has(key) && !isSomewhere) yield `${key} is gone`;
  }
}

/** Returns the violations of replication/SPEC.md at the end of a history. */
export function findViolations(rest: Rest): readonly string[] {
  return [
    ...disagreements(rest),
    ...unfinished(rest),
    ...lostEdits(rest),
    ...wrongWinners(rest),
    ...machineWinners(rest),
    ...wrongDocuments(rest),
  ];
}
