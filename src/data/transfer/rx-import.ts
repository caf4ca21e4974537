import type { LocalDocument } from '../../../schemas/documents/document.ts';
import type { ExportedEntry, ExportedPet } from '../../../schemas/export-file.ts';
import type { SyncedCollection } from '../../../schemas/documents/sync-state.ts';
import { fileMaxBytes } from '../../../schemas/limits.ts';
import { deletePetJobId } from '../../../schemas/local/local-record.ts';
import { pictureStamp } from '../../../schemas/local/outbox-job.ts';
import { pictureVersion } from '../../../schemas/local/conflict-version.ts';
import { fileOf } from '../../../schemas/local/remove-file.ts';
import { commitPlanned } from '../../../store/change-documents.ts';
import {
  documentsOf,
  isNothing,
  together,
  type DocumentStore,
  type Writes,
} from '../../../store/document-store.ts';
import { canTakePicture, canTakeSound } from '../files/archive-files.ts';
import { told } from '../commands/commands.ts';
import type { Files } from '../files/files.ts';
import { openImportFile, type ImportFile } from './import-file.ts';
import { entryOf, petOf } from './import-documents.ts';
import { importTargets, type ImportTarget } from './import-targets.ts';
import { replacedByKnown, type Incoming } from './import-versions.ts';
import {
  dogless,
  type FinishedImport,
  type ImportPreview,
  type OpenImport,
  type TransferOptions,
} from './transfers.ts';
import type { FileContent } from '../files/voice-files.ts';

export interface ImportDeps {
  readonly uid: string;
  readonly store: DocumentStore;
  readonly files: Files;
  /** Epoch milliseconds of this device's clock, corrected by the server's. */
  readonly correctedNow: () => number;
  /** Called when something was stored that sync should send. */
  readonly onWritten: () => void;
}

/** The number of entries in one write, so that the page stays responsive and a crash repeats little work. */
const pieceSize = 200;

const noRoom =
  'Your device could not store all of it. What was imported is kept. Free some space and import the file again: it goes on from there.';

function inPieces<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / pieceSize);
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * pieceSize, (index + 1) * pieceSize),
  );
}

type Targets = ReadonlyMap<string, ImportTarget>;

interface Run {
  readonly deps: ImportDeps;
  readonly file: ImportFile;
  /** The places of the dogs that the entries name, and of those to import. */
  readonly pets: Targets;
  /** Counted up as the import goes on. */
  readonly tally: { -readonly [Name in keyof FinishedImport]: FinishedImport[Name] };
}

/** Returns those dogs that live here: one may be deleted while the import runs, here or on another device. */
async function liveOf({ store }: ImportDeps, petIds: Iterable<string>): Promise<readonly string[]> {
  const leaving = await store.listRecords('delete-pet');
  const pets = await documentsOf(store, 'pets', petIds);
  return [...pets.values()].flatMap(({ id, deleted }) =>
    deleted || leaving.has(deletePetJobId(id)) ? [] : id,
  );
}

/**
 * Adds documents of one collection. Existing documents stay as they are, and what the file has later, or had not sent, becomes
 * a conflict version; entries of a dog that is gone are left out.
 * @param also writes of the same commit. @returns the documents that were added.
 */
function addAll(
  { deps, tally }: Pick<Run, 'deps' | 'tally'>,
  incoming: readonly Incoming[],
  also: () => Promise<Writes> = async () => ({}),
): Promise<readonly LocalDocument[]> {
  const { store } = deps;
  const byId = new Map(incoming.map((one) => [one.document.id, one]));
  const collection = incoming[0]?.document.collection ?? 'entries';
  const petIds = new Set(incoming.flatMap(({ document: { petId } }) => petId ?? []));
  return told(noRoom, async () => {
    let writes = together();
    await commitPlanned(store, async () => {
      const livePets = await liveOf(deps, petIds);
      const known = await store.get(collection, [...byId.keys()]);
      const hasPlace = ({ document: { id, petId } }: Incoming): boolean => {
        const isKnown = known.get(id)?.document.deleted === false;
        return petId === null || isKnown || livePets.includes(petId);
      };
      const placed = [...byId.values()].filter(hasPlace);
      const own = placed.map((one): Writes => {
        const stored = known.get(one.document.id)?.document;
        if (stored === undefined) return { swaps: [{ from: null, to: one.document }] };
        return { records: replacedByKnown(stored, one, deps.correctedNow()) };
      });
      const all = together({ livePets }, ...own, placed.length === 0 ? {} : await also());
      // A version that an earlier import has kept stays as it is, and is not counted again.
      const kept = await Promise.all(all.records.map(([id]) => store.readRecord(id)));
      writes = { ...all, records: all.records.filter((_, at) => kept[at] === null) };
      return isNothing(writes) ? null : writes;
    });
    tally.otherVersions += writes.records.length;
    if (writes.swaps.length === 0) tally.lostFiles += writes.jobs.length;
    return writes.swaps.map(({ to }) => to);
  });
}

/** Returns the document of that id on this device. */
async function knownOf({ deps: { store } }: Run, collection: SyncedCollection, id: string) {
  return (await store.get(collection, [id])).get(id)?.document;
}

type InFile = ExportedPet['picture'] | ExportedEntry['recording'];

/** Reads a file of the import; null if it names none, or one that is missing, damaged or not accepted, which is counted. */
async function readFile(
  { file, tally }: Run,
  named: InFile,
  canTake: (content: FileContent) => boolean,
): Promise<FileContent | null> {
  if (typeof named?.file !== 'string') return null;
  const bytes = await file.readBytes(named.file, fileMaxBytes);
  const content = { bytes: bytes ?? new ArrayBuffer(), contentType: named.contentType ?? '' };
  if (canTake(content)) return content;
  tally.unreadableFiles += 1;
  return null;
}

/** Returns what the owner chose and replaced: an import must not win over a picture that was chosen later. */
function choiceOf({ edits, picture }: ExportedPet, nowMs: number) {
  const { serverVersion, isOlder = false } = picture ?? {};
  const replaces = serverVersion === undefined || isOlder ? [] : [serverVersion];
  return { chosenAtMs: Math.min(pictureStamp(edits), nowMs), replaces };
}

async function importPet(run: Run, pet: ExportedPet, id: string): Promise<void> {
  const { deps } = run;
  const { archive } = deps.files;
  const nowMs = deps.correctedNow();
  const isSameDocument = id === pet.id;
  const document = petOf(pet, { uid: deps.uid, id, nowMs, isSameDocument });
  const known = await knownOf(run, 'pets', id);
  const { profilePicturePath: path, profilePictureVersion: shown } = known?.fields ?? {};
  const isNotNew = path !== undefined && pet.picture?.isOlder === true;
  const isDone = known?.deleted === true || isNotNew;
  const picture = isDone ? null : await readFile(run, pet.picture, canTakePicture);
  const choice = isSameDocument ? choiceOf(pet, nowMs) : { chosenAtMs: nowMs };
  const isHere = async (): Promise<boolean> => {
    const fields = { profilePictureVersion: String(shown) };
    return (await archive.picture({ id, fields }))?.isOlder === false;
  };
  const unsent = isSameDocument ? pet.unsent : [];
  await addAll(run, [{ document, unsent }], async () => {
    if (picture === null) return {};
    const { jobs = [], bytes = [] } = await archive.planPicture({
      petId: id,
      ...picture,
      ...choice,
    });
    const isShown = jobs.some(({ to }) => to?.md5 === shown);
    if (path === undefined || (isShown && !(await isHere()))) return { jobs, bytes };
    // The dog keeps its picture. One that the server has had was replaced by its owner, and is not kept. The stamp of the
    // file makes the version the same one in each import.
    const stampMs = Math.min(pictureStamp(pet.edits), nowMs);
    const records = jobs.flatMap(({ to }) =>
      to === null || [shown, ...(to.replaces ?? [])].includes(to.md5)
        ? []
        : [pictureVersion({ id }, { ...to, stampMs, side: 'local' }, nowMs)],
    );
    return records.length === 0 ? {} : { records, bytes };
  });
}

async function importPets(run: Run, imported: readonly ExportedPet[], signal: AbortSignal) {
  const { pets, tally } = run;
  for (const pet of imported) {
    signal.throwIfAborted();
    const target = pets.get(pet.id);
    if (target === undefined) continue;
    if (target.state === 'known') tally.known += 1;
    else tally.pets += 1;
    await importPet(run, pet, target.id);
  }
}

interface Spoken {
  readonly entry: ExportedEntry;
  readonly id: string;
  readonly petId: string;
}

/** Returns the sound to import; null if this device has that of the entry, or the file has no usable one. */
async function soundFor(run: Run, { entry, id, petId }: Spoken): Promise<FileContent | null> {
  // Most entries have none, and need no read.
  if (!entry.recording?.file) return null;
  const known = await knownOf(run, 'entries', id);
  const fileLocation = known && fileOf(known);
  const spoken = { id, petId, fields: fileLocation ? { fileLocation } : {} };
  const isHere = known !== undefined && (await run.deps.files.archive.recording(spoken)) !== null;
  return isHere ? null : readFile(run, entry.recording, canTakeSound);
}

function incomingOf(run: Run, { entry, id, petId }: Spoken, hasBytes: boolean): Incoming {
  const isSameDocument = id === entry.id && petId === entry.petId;
  const common = { uid: run.deps.uid, id, nowMs: run.deps.correctedNow() };
  const document = entryOf(entry, petId, { ...common, isSameDocument, hasBytes });
  // In a copy nothing is unsent: the file tells of its original.
  return { document, unsent: id === entry.id ? entry.unsent : [] };
}

async function importSpoken(run: Run, one: Spoken, sound: FileContent) {
  const { archive } = run.deps.files;
  const { entry, id, petId } = one;
  const durationMs = entry.recording?.durationMs ?? 0;
  const recording = { ...sound, id, startedAtMs: entry.createdDate, durationMs };
  const incoming = incomingOf(run, one, true);
  const { document } = incoming;
  return addAll(run, [incoming], async () => {
    const known = await knownOf(run, 'entries', id);
    // A name lies in the folder of the dog that the entry has here.
    const holder = known !== undefined && fileOf(known) !== null ? known : document;
    const home = { petId: holder.petId ?? petId };
    return archive.planRecording({ ...recording, ...home }, fileOf(holder));
  });
}

async function importPiece(run: Run, piece: readonly ExportedEntry[], signal: AbortSignal) {
  const { tally } = run;
  const targets = await targetsOf(run, 'entries', piece);
  const added: LocalDocument[] = [];
  const silent: Incoming[] = [];
  for (const entry of piece) {
    const [target, pet] = [targets.get(entry.id), run.pets.get(entry.petId)];
    if (target === undefined || pet === undefined) continue;
    signal.throwIfAborted();
    const one = { entry, id: target.id, petId: pet.id };
    const sound = await soundFor(run, one);
    if (sound !== null) added.push(...(await importSpoken(run, one, sound)));
    else silent.push(incomingOf(run, one, false));
    if (target.state === 'known') tally.known += 1;
  }
  added.push(...(await addAll(run, silent)));
  const spoken = added.filter(({ fields }) => fields['type'] === 'voice-note').length;
  tally.voiceNotes += spoken;
  tally.notes += added.length - spoken;
}

/** Finds the places of the dogs or entries of a file. */
function targetsOf(
  { deps: { uid, store }, file: { owner } }: Pick<Run, 'deps' | 'file'>,
  collection: SyncedCollection,
  documents: readonly { readonly id: string }[],
): Promise<Targets> {
  const ids = documents.map(({ id }) => id);
  return importTargets({ uid, store, owner }, collection, ids);
}

/** The dog of entries whose own is gone. The id has a space, so that each account derives one of its own from it. */
const dogOfOthers: ExportedPet = {
  id: 'the others',
  name: dogless,
  picture: null,
  edits: {},
};

/**
 * Finds the places of the dogs of a file, and one for all dogs that only its entries name.
 * @returns the dogs to import, and the new entries that get that one.
 */
async function placesOf(deps: ImportDeps, file: ImportFile) {
  const own = await targetsOf({ deps, file }, 'pets', [...file.pets, dogOfOthers]);
  const home = own.get(dogOfOthers.id);
  const pets = new Map(own);
  const others = file.entries.filter(({ petId }) => !own.has(petId));
  for (const { petId } of others) if (home !== undefined) pets.set(petId, home);
  const known = await targetsOf({ deps, file }, 'entries', others);
  const homeless = others.filter(({ id }) => known.get(id)?.state !== 'known');
  const imported = homeless.length === 0 ? file.pets : [...file.pets, dogOfOthers];
  return { pets, imported, homeless };
}

async function runImport(
  deps: ImportDeps,
  file: ImportFile,
  { signal, onProgress }: TransferOptions,
): Promise<FinishedImport> {
  const total = file.entries.length;
  let done = 0;
  onProgress({ done, total });
  const tally = {
    pets: 0,
    notes: 0,
    voiceNotes: 0,
    known: 0,
    otherVersions: 0,
    lostFiles: 0,
    unreadableFiles: 0,
  };
  const { pets, imported } = await placesOf(deps, file);
  const run = { deps, file, tally, pets };
  // Also an import that is stopped has stored a part, which is to be sent.
  await importPets(run, imported, signal).finally(deps.onWritten);
  for (const piece of inPieces(file.entries)) {
    await importPiece(run, piece, signal).finally(deps.onWritten);
    done += piece.length;
    onProgress({ done, total });
  }
  return tally;
}

async function previewOf(deps: ImportDeps, file: ImportFile): Promise<ImportPreview> {
  const { pets, imported, homeless } = await placesOf(deps, file);
  const { entries } = file;
  const targets = imported.map(({ id }) => pets.get(id));
  for (const piece of inPieces(entries)) {
    targets.push(...(await targetsOf({ deps, file }, 'entries', piece)).values());
  }
  const [checkpoint] = (await deps.store.listRecords('checkpoint')).values();
  const countOf = (state: ImportTarget['state']): number =>
    targets.filter((target) => target?.state === state).length;
  const voiceNotes = entries.filter(({ type }) => type === 'voice-note').length;
  const names = [
    ...file.pets.map(({ picture }) => picture?.file ?? ''),
    ...entries.map(({ recording }) => recording?.file ?? ''),
  ];
  return {
    exportedAtMs: file.exportedAtMs,
    pets: file.pets.length,
    notes: entries.length - voiceNotes,
    voiceNotes,
    files: names.filter((name) => file.has(name)).length,
    known: countOf('known'),
    returning: countOf('returning'),
    unreadable: file.unreadable,
    withoutPet: homeless.length,
    unsaved: file.unsaved,
    isOtherAccount: file.owner !== deps.uid,
    isPartial: checkpoint?.complete !== true,
  };
}

/** Reads a chosen file without importing it. @throws {CommandError} if the file cannot be used. */
export async function openImport(deps: ImportDeps, chosen: Blob): Promise<OpenImport> {
  const file = await openImportFile(chosen);
  const preview = await previewOf(deps, file);
  return { preview, run: (options) => runImport(deps, file, options) };
}
