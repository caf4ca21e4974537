import type { Backend } from '../../../backend/src/server.ts';
import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { checkpointId } from '../../../schemas/local/local-record.ts';
import { fileOf } from '../../../schemas/local/remove-file.ts';
import { md5Of } from '../../support/fakes/memory-remote-files.ts';
import { textOf } from '../../support/setups/test-outbox.ts';
import type { SharedState } from './command-actions.ts';
import type { CommandDevice, RunningApp } from './command-device.ts';
import { soundToken } from './command-ledger.ts';
import { entriesOn, parkedOn, petsOn, tokensOf, versionsOn } from './command-view.ts';

/** The state at the end of a history: every device is online, everything is synced, and every delay has passed. */
export interface CommandRest {
  readonly devices: readonly CommandDevice[];
  readonly server: Pick<Backend, 'firestore' | 'storage'>;
  readonly state: SharedState;
}

interface StoredFile {
  readonly md5: string;
  readonly text: string;
}

/** The stored files by object name. */
type Files = ReadonlyMap<string, StoredFile>;

/** Returns the files of this owner, since other histories leave files on the same server. */
async function filesOn({ server, devices }: CommandRest): Promise<Files> {
  const found = new Map<string, StoredFile>();
  for (const { name } of server.storage.list({ prefix: '' }).objects) {
    const [, petId = ''] = name.split('/');
    const owner = server.firestore.get(`pets/${petId}`)?.['ownerId'];
    const bytes = owner === devices[0]?.client.uid ? await server.storage.read(name) : null;
    if (bytes === null) continue;
    const whole = new Uint8Array(bytes).buffer;
    found.set(name, { md5: md5Of(whole), text: textOf(whole) ?? '' });
  }
  return found;
}

async function documentsOn(app: RunningApp): Promise<readonly LocalDocument[]> {
  return [...(await petsOn(app)), ...(await entriesOn(app))];
}

function keyOf({ collection, id }: LocalDocument): string {
  return `${collection}/${id}`;
}

function contentOf({ deleted, seq, petId, fields, edits }: LocalDocument): string {
  const sorted = (record: object) =>
    Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([deleted, seq, petId, sorted(fields), sorted(edits)]);
}

/** Returns whether the document is parked for a reason that only the owner can resolve. */
function isOwnersToDecide({ pending, code }: LocalDocument): boolean {
  return pending === 2 && code === 'pet-deleted';
}

function* disagreements(copies: readonly (readonly LocalDocument[])[]): Generator<string> {
  const [first = [], ...others] = copies.map((documents) =>
    documents.filter((document) => document.pending === 0 && document.seq !== null),
  );
  const expected = new Map(first.map((document) => [keyOf(document), contentOf(document)]));
  for (const documents of others) {
    const found = new Map(documents.map((document) => [keyOf(document), contentOf(document)]));
    for (const key of new Set([...expected.keys(), ...found.keys()])) {
      const [one, other] = [expected.get(key), found.get(key)];
      if (one !== other) yield `${key} differs: ${String(one)} and ${String(other)}`;
    }
  }
}

/** Yields synced documents that the server does not have as they are on the device. */
function* missingOnServer(
  documents: readonly LocalDocument[],
  { server }: CommandRest,
): Generator<string> {
  for (const document of documents) {
    const { id, petId, pending, seq } = document;
    if (pending !== 0 || seq === null) continue;
    const path = petId === null ? `pets/${id}` : `pets/${petId}/journalEntries/${id}`;
    const stored = server.firestore.get(path)?.['seq'];
    if (stored !== seq) yield `${keyOf(document)} is ${JSON.stringify(stored)} on the server`;
  }
}

/**
 * Returns the documents, jobs and records that still wait. @param references the names of files that must stay; a
 * pending removal of one is correct.
 */
async function unfinished(
  devices: readonly CommandDevice[],
  references: ReadonlySet<string>,
): Promise<string[]> {
  const found: string[] = [];
  for (const device of devices) {
    const app = device.app();
    for (const document of await documentsOn(app)) {
      if (document.pending === 0 || isOwnersToDecide(document)) continue;
      const state = `${String(document.pending)} ${String(document.code)}`;
      found.push(`${keyOf(document)} waits for ever on ${device.name}: ${state}`);
    }
    for (const [id, record] of [
      ...(await app.store.listRecords('delete-pet')),
      ...(await app.store.listRecords('sweep-pet')),
      ...(await app.store.listRecords('remove-file')),
    ]) {
      if (record.kind === 'remove-file' && references.has(record.objectName)) continue;
      found.push(`${id} is left on ${device.name}`);
    }
    if ((await app.store.readRecord(checkpointId)) === null) {
      found.push(`${device.name} has never synced`);
    }
    const parked = (await parkedOn(app)).map(({ id }) => id);
    const kept = [...(await versionsOn(app)).values()].map(({ documentId }) => documentId);
    const holders = new Set([...parked, ...kept]);
    const jobs = await app.outbox.queue.list();
    // The job of a document that can still be restored stays, and so do its bytes, also for other documents.
    const held = jobs.filter(({ entryId, petId }) => holders.has(entryId ?? petId));
    const names = new Set(held.map(({ objectName }) => objectName));
    for (const job of jobs) {
      if (job.stage !== 'recorded' && !names.has(job.objectName)) {
        found.push(`${job.id} is left ${job.stage} ${String(job.code)} on ${device.name}`);
      }
    }
  }
  return found;
}

/** Returns the names of files that a document, a conflict version or a job refers to. */
async function referencesOf({ devices }: CommandRest): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const device of devices) {
    const app = device.app();
    const holders = [...(await documentsOn(app)), ...(await versionsOn(app)).values()];
    const waiting = (await app.outbox.queue.list()).map(({ objectName }) => objectName);
    for (const name of [...holders.map(fileOf), ...waiting]) if (name !== null) names.add(name);
  }
  return names;
}

/**
 * Yields live documents whose file is missing, has other content, or lies in another dog's folder, except those that the
 * server refuses together with their file.
 */
function* badReferences(documents: readonly LocalDocument[], files: Files): Generator<string> {
  for (const document of documents) {
    const name = fileOf(document);
    if (document.deleted || name === null || isOwnersToDecide(document)) continue;
    const folder = `pets/${document.petId ?? document.id}/`;
    const file = files.get(name);
    if (!name.startsWith(folder)) yield `${keyOf(document)} names ${name}`;
    else if (file === undefined) yield `${keyOf(document)} names ${name}, which is not there`;
    else if (document.collection === 'pets') {
      const version = document.fields['profilePictureVersion'];
      if (file.md5 !== version) yield `${keyOf(document)} has another picture than it says`;
    } else if (file.text !== soundToken(document.fields['durationMs'])) {
      yield `${keyOf(document)} has the sound of ${file.text}`;
    }
  }
}

/** Yields synced voice notes without a recording or a transcript, except those whose file the owner gave up. */
function* unheard(
  documents: readonly LocalDocument[],
  { givenUp }: SharedState,
): Generator<string> {
  for (const document of documents) {
    const { deleted, pending, fields } = document;
    if (deleted || pending !== 0 || fields['type'] !== 'voice-note') continue;
    if (givenUp.has(soundToken(fields['durationMs']))) continue;
    if (fields['fileLocation'] === undefined) yield `${keyOf(document)} has no sound`;
    if (fields['transcript'] === 'waiting') yield `${keyOf(document)} waits for its words`;
  }
}

/**
 * Returns the tokens that still exist: in a document or version on a device, in the bytes of a job, or in a file that
 * one of them refers to.
 */
async function keptTokens(rest: CommandRest, files: Files): Promise<ReadonlySet<string>> {
  const kept = new Set<string>();
  const texts = (tokens: readonly string[]) => tokens.filter((token) => token.startsWith('text'));
  for (const device of rest.devices) {
    const app = device.app();
    for (const job of await app.outbox.queue.list()) {
      kept.add(textOf(await app.outbox.queue.readBytes(job)) ?? '');
    }
    const versions = [...(await versionsOn(app)).values()];
    for (const { documentId, fields } of versions) {
      const picture = { petId: documentId, md5: String(fields['profilePictureVersion']) };
      kept.add(textOf((await app.outbox.caches.version(picture))?.bytes) ?? '');
    }
    for (const holder of [...(await documentsOn(app)), ...versions]) {
      for (const token of texts(tokensOf(holder, rest.state.pictures))) kept.add(token);
      const name = fileOf(holder);
      if (name === null) continue;
      kept.add(files.get(name)?.text ?? '');
      const cached = await app.outbox.caches.recording(name);
      kept.add(textOf(cached?.bytes) ?? '');
    }
  }
  return kept;
}

/** @returns the violations; none if the rules held. */
export async function judgeCommands(rest: CommandRest): Promise<readonly string[]> {
  const { devices, state } = rest;
  const files = await filesOn(rest);
  const copies = await Promise.all(devices.map((device) => documentsOn(device.app())));
  const [first = []] = copies;
  const kept = await keptTokens(rest, files);
  const references = await referencesOf(rest);
  const orphans = [...files.keys()].filter((name) => !references.has(name));
  // The picture of a deleted dog is deleted too, also one that another device chose meanwhile, and so is the recording
  // of a deleted entry after a day. Restored documents are live and have their file.
  const isGone = (token: string): boolean => {
    const holders = [state.petIds.get(token), state.entryIds.get(token)];
    return first.some(({ id, deleted }) => deleted && holders.includes(id));
  };
  const lost = state.ledger.owed().filter((token) => !kept.has(token) && !isGone(token));
  return [
    ...(await unfinished(devices, references)),
    ...disagreements(copies),
    ...missingOnServer(first, rest),
    ...badReferences(first, files),
    ...unheard(first, state),
    ...orphans.map((name) => `${name} (${files.get(name)?.text ?? ''}) is an orphan`),
    ...lost.map((token) => `${token} is lost`),
  ];
}
