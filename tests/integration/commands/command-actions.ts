import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { isParked, pictureJobId } from '../../../schemas/local/outbox-job.ts';
import type { UndoDelete } from '../../../src/data/commands/commands.ts';
import { bytesOf, textOf } from '../../support/setups/test-outbox.ts';
import { md5Of } from '../../support/fakes/memory-remote-files.ts';
import type { CommandDevice, RunningApp } from './command-device.ts';
import { durationOf, type CommandLedger } from './command-ledger.ts';
import {
  entriesOn,
  parkedOn,
  petsOn,
  shownEntries,
  shownPets,
  shownPicture,
  tokensOf,
  versionsOn,
} from './command-view.ts';

export const actionKinds = [
  'create-pet',
  'describe-pet',
  'add-note',
  'record',
  'discard-recording',
  'set-picture',
  'correct-words',
  'words-again',
  'delete-entry',
  'undo',
  'delete-pet',
  'restore-version',
  'discard-version',
  'move-entry',
  'retry',
  'discard-parked',
  'discard-file',
  'export',
  'import',
] as const;

export type ActionKind = (typeof actionKinds)[number];

/** The state that the devices of one history share beside the server. */
export interface SharedState {
  readonly ledger: CommandLedger;
  /** The token of each picture, by the hash of its bytes. */
  readonly pictures: Map<string, string>;
  /** The dog that each picture was chosen for. */
  readonly petIds: Map<string, string>;
  /** The entry that each recording was made for. */
  readonly entryIds: Map<string, string>;
  /** Recordings whose owner gave up the file, and kept the note. */
  readonly givenUp: Set<string>;
  readonly devices: CommandDevice[];
  /** The newest export of any device; null before the first. */
  zip: Blob | null;
}

/** A deletion that a running app can undo, and the tokens that the undo brings back. */
interface Undo {
  readonly undo: UndoDelete;
  readonly tokens: readonly string[];
}

interface Turn {
  readonly app: RunningApp;
  readonly state: SharedState;
  readonly undos: Undo[];
  readonly pick: <Item>(items: readonly Item[]) => Item | undefined;
}

const unhurried = { signal: new AbortController().signal, onProgress: () => undefined };

/** @returns whether there was something to do. */
type Act = (turn: Turn) => Promise<boolean>;

const createPet: Act = async ({ app, state: { ledger } }) => {
  const name = ledger.newToken('text');
  await app.commands.createPet({ name });
  ledger.claim([name]);
  return true;
};

const describePet: Act = async ({ app, state: { ledger }, pick }) => {
  const pet = pick(await shownPets(app));
  if (pet === undefined) return false;
  const description = ledger.newToken('text');
  const before = pet.fields['description'];
  // The command is one commit: if it fails, the former text stays.
  await app.commands.updatePet(pet.id, { description });
  if (before !== undefined) ledger.release([String(before)]);
  ledger.claim([description]);
  return true;
};

const addNote: Act = async ({ app, state: { ledger }, pick }) => {
  const pet = pick(await shownPets(app));
  if (pet === undefined) return false;
  const text = ledger.newToken('text');
  await app.commands.addNote({ petId: pet.id, text });
  ledger.claim([text]);
  return true;
};

/** Writes many notes at once, as an owner has after years. */
export async function writeMany(
  { app, state: { ledger } }: Pick<Turn, 'app' | 'state'>,
  count: number,
): Promise<void> {
  const [pet] = await shownPets(app);
  if (pet === undefined) return;
  for (let note = 0; note < count; note += 1) {
    const text = ledger.newToken('text');
    await app.commands.addNote({ petId: pet.id, text });
    ledger.claim([text]);
  }
}

/** Records a token in two pieces. @returns the id of the recording. */
async function recordSound({ app }: Turn, petId: string, token: string): Promise<string> {
  const recording = await app.files.voice.begin({ petId, contentType: 'audio/webm;codecs=opus' });
  const durationMs = durationOf(token);
  await recording.append(bytesOf(token.slice(0, 3)), durationMs / 2);
  await recording.append(bytesOf(token.slice(3)), durationMs);
  await recording.finish(durationMs);
  return recording.id;
}

const record: Act = async (turn) => {
  const { app, state, pick } = turn;
  const pet = pick(await shownPets(app));
  if (pet === undefined) return false;
  const token = state.ledger.newToken('sound');
  const id = await recordSound(turn, pet.id, token);
  state.entryIds.set(token, id);
  await app.files.voice.keep(id);
  state.ledger.claim([token]);
  return true;
};

const discardRecording: Act = async (turn) => {
  const pet = turn.pick(await shownPets(turn.app));
  if (pet === undefined) return false;
  const id = await recordSound(turn, pet.id, turn.state.ledger.newToken('sound'));
  await turn.app.files.voice.discard(id);
  return true;
};

const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

const setPicture: Act = async ({ app, state: { ledger, pictures, petIds }, pick }) => {
  const pet = pick(await shownPets(app));
  if (pet === undefined) return false;
  const token = ledger.newToken('picture');
  const bytes = bytesOf(token);
  pictures.set(md5Of(bytes), token);
  petIds.set(token, pet.id);
  ledger.release(await shownPicture(app, pet, pictures));
  // A picture's object name ends in its type, so a picture of another type does not overwrite the former file.
  const contentType = pick(pictureTypes) ?? 'image/jpeg';
  await app.files.setProfilePicture(pet.id, { bytes, contentType });
  ledger.claim([token]);
  return true;
};

function isVoice({ fields }: LocalDocument): boolean {
  return fields['type'] === 'voice-note';
}

const correctWords: Act = async ({ app, state: { ledger }, pick }) => {
  const entry = pick(await shownEntries(app));
  if (entry === undefined) return false;
  const text = ledger.newToken('text');
  await app.commands.editText(entry.id, text);
  ledger.claim([text]);
  return true;
};

/** Requests a new transcript, which may replace a text that the owner has typed. */
const wordsAgain: Act = async ({ app, state: { ledger }, pick }) => {
  const uploaded = (await shownEntries(app)).filter(
    (entry) => isVoice(entry) && entry.fields['fileLocation'] !== undefined,
  );
  const entry = pick(uploaded);
  if (entry === undefined) return false;
  const row = await app.database.journal_entries.findOne(entry.id).exec();
  if (row === null) return false;
  ledger.release(entry.fields['text'] === undefined ? [] : [String(entry.fields['text'])]);
  await app.files.voice.retranscribe(row.toMutableJSON());
  return true;
};

const deleteEntry: Act = async ({ app, state, pick, undos }) => {
  const entry = pick(await shownEntries(app));
  if (entry === undefined) return false;
  const tokens = tokensOf(entry, state.pictures);
  state.ledger.release(tokens);
  undos.push({ undo: await app.commands.deleteEntry(entry.id), tokens });
  return true;
};

/** Undoes the last deletion. The entry is shown again unless its dog was deleted meanwhile. */
const undo: Act = async ({ app, state, undos }) => {
  const last = undos.pop();
  if (last === undefined) return false;
  await last.undo();
  const shown = (await shownEntries(app)).flatMap((entry) => tokensOf(entry, state.pictures));
  state.ledger.claim(last.tokens.filter((token) => shown.includes(token)));
  return true;
};

const deletePet: Act = async ({ app, state, pick }) => {
  const pet = pick(await shownPets(app));
  if (pet === undefined) return false;
  const entries = (await entriesOn(app)).filter(({ petId }) => petId === pet.id);
  const documents = [pet, ...entries];
  state.ledger.release(documents.flatMap((document) => tokensOf(document, state.pictures)));
  state.ledger.release(await shownPicture(app, pet, state.pictures));
  await app.commands.deletePet(pet.id);
  return true;
};

/**
 * Claims the content of documents that a command creates and no device knew before. A document that comes back under
 * its own id is not claimed: another device may have deleted it, and the deletion wins.
 * @param pictures the pictures of a restored dog, whose document names its picture only later.
 */
async function claimNew(
  { app, state }: Turn,
  work: () => Promise<void>,
  pictures: readonly string[] = [],
): Promise<void> {
  const known = new Set<string>();
  for (const device of state.devices) {
    const documents = [...(await petsOn(device.app())), ...(await entriesOn(device.app()))];
    for (const { id } of documents) known.add(id);
  }
  await work();
  const shown = [...(await shownPets(app)), ...(await shownEntries(app))];
  const isNew = ({ id }: LocalDocument): boolean => !known.has(id);
  for (const document of shown.filter(isNew)) {
    state.ledger.claim(tokensOf(document, state.pictures));
    if (document.collection !== 'pets') continue;
    for (const picture of pictures) state.petIds.set(picture, document.id);
    state.ledger.claim(pictures);
  }
}

const restoreVersion: Act = async (turn) => {
  const { app, state, pick } = turn;
  const chosen = pick([...(await versionsOn(app))]);
  if (chosen === undefined) return false;
  const [id, version] = chosen;
  const own = version.collection === 'pets' ? await petsOn(app) : await entriesOn(app);
  const current = own.find((document) => document.id === version.documentId);
  const lost = tokensOf(version, state.pictures);
  if (current !== undefined && !current.deleted) {
    const names = Object.keys(version.edits);
    const fields = Object.fromEntries(
      Object.entries(current.fields).filter(([name]) => names.includes(name)),
    );
    state.ledger.release(tokensOf({ fields }, state.pictures));
    await app.commands.restoreConflictVersion(id);
    state.ledger.claim(lost);
    return true;
  }
  const pets = await shownPets(app);
  const pet = pets.find((shown) => shown.id === version.petId) ?? pick(pets);
  if (version.collection === 'entries' && pet === undefined) return false;
  const petId = version.collection === 'entries' ? pet?.id : undefined;
  // The server deletes the picture with the dog, so it comes back only from a device that has it cached.
  // One that still waits for the deleted dog comes back in its place.
  const waiting = await app.outbox.queue.get(pictureJobId(version.documentId));
  const sent = waiting && textOf((await app.outbox.queue.readBytes(waiting)) ?? undefined);
  const cached = textOf((await app.outbox.caches.picture(version.documentId))?.bytes);
  const pictures = sent ? [sent] : lost.filter((token) => token === cached);
  await claimNew(turn, () => app.commands.restoreConflictVersion(id, petId), pictures);
  return true;
};

const discardVersion: Act = async ({ app, state, pick }) => {
  const chosen = pick([...(await versionsOn(app))]);
  if (chosen === undefined) return false;
  state.ledger.release(tokensOf(chosen[1], state.pictures));
  await app.commands.discardConflictVersion(chosen[0]);
  return true;
};

const moveEntry: Act = async (turn) => {
  const { app, pick } = turn;
  const parked = (await parkedOn(app)).filter(({ code }) => code === 'pet-deleted');
  const [entry, pet] = [pick(parked), pick(await shownPets(app))];
  if (entry === undefined || pet === undefined) return false;
  await claimNew(turn, () => app.commands.moveEntry(entry.id, pet.id));
  return true;
};

const retry: Act = async ({ app }) => {
  const parked = await parkedOn(app);
  for (const { collection, id } of parked) await app.commands.retry(collection, id);
  const failed = (await app.outbox.queue.list()).filter(({ stage }) => stage === 'failed');
  for (const { id } of failed) await app.files.retryFile(id);
  return parked.length + failed.length > 0;
};

const discardParked: Act = async ({ app, state, pick }) => {
  const parked = pick(await parkedOn(app));
  if (parked === undefined) return false;
  state.ledger.release(tokensOf(parked, state.pictures));
  await app.commands.discard(parked.collection, parked.id);
  return true;
};

/** Gives up a file that could not be sent, as the Sync sheet offers. The note of a recording stays. */
const discardFile: Act = async ({ app, state: { ledger, givenUp }, pick }) => {
  const job = pick((await app.outbox.queue.list()).filter(isParked));
  if (job === undefined) return false;
  const token = textOf(await app.outbox.queue.readBytes(job)) ?? '';
  ledger.release([token]);
  givenUp.add(token);
  await app.files.discardFile(job.id);
  return true;
};

const exportAll: Act = async ({ app, state }) => {
  state.zip = (await app.transfers.exportZip({ kind: 'everything' }, unhurried)).zip;
  return true;
};

/** Imports the newest export, also on a device that has all of it, has deleted parts of it, or did not export it. */
const importZip: Act = async (turn) => {
  const { zip } = turn.state;
  if (zip === null) return false;
  const opened = await turn.app.transfers.openImport(zip);
  await claimNew(turn, async () => void (await opened.run(unhurried)));
  return true;
};

const acts: Readonly<Record<ActionKind, Act>> = {
  'create-pet': createPet,
  'describe-pet': describePet,
  'add-note': addNote,
  record,
  'discard-recording': discardRecording,
  'set-picture': setPicture,
  'correct-words': correctWords,
  'words-again': wordsAgain,
  'delete-entry': deleteEntry,
  undo,
  'delete-pet': deletePet,
  'restore-version': restoreVersion,
  'discard-version': discardVersion,
  'move-entry': moveEntry,
  retry,
  'discard-parked': discardParked,
  'discard-file': discardFile,
  export: exportAll,
  import: importZip,
};

/**
 * Returns a function that performs an owner's action through the real commands, and resolves to whether there was
 * something to do. A command that fails or is interrupted acknowledges nothing.
 */
export function createCommandActions(state: SharedState) {
  // A restart takes the offers to undo away.
  const undosByApp = new WeakMap<RunningApp, Undo[]>();
  return async (device: CommandDevice, kind: ActionKind, seed: number): Promise<boolean> => {
    const app = device.app();
    const undos = undosByApp.get(app) ?? [];
    undosByApp.set(app, undos);
    const pick: Turn['pick'] = (items) => items[seed % Math.max(1, items.length)];
    return acts[kind]({ app, state, undos, pick });
  };
}
