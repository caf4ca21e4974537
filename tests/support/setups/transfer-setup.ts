import type { Entry, Pet } from '../../../schemas/documents/document.ts';
import { checkpointId, emptyCheckpoint } from '../../../schemas/local/local-record.ts';
import { writeRecord } from '../../../store/change-documents.ts';
import { createTransfers } from '../../../src/data/transfer/rx-transfers.ts';
import { openZip, type Zip } from '../../../src/lib/zip/zip-reader.ts';
import { change, clean, nowMs } from './data-setup.ts';
import { setUpFiles } from './files-setup.ts';
import { bytesOf, textOf } from './test-outbox.ts';

export const unhurried = { signal: new AbortController().signal, onProgress: () => undefined };

/** Opens one device of an owner with one pet, whose journal is fetched, and can be exported and imported. */
export async function setUpTransfers(uid = 'owner') {
  const device = await setUpFiles(uid);
  await writeRecord(device.store, checkpointId, { ...emptyCheckpoint, complete: true });
  let isOnline = true;
  const transfers = createTransfers({
    uid,
    collections: device.database,
    store: device.store,
    files: device.files,
    isOnline: () => isOnline,
    now: () => nowMs,
    correctedNow: () => nowMs,
    onWritten: device.onWritten,
  });
  return {
    ...device,
    transfers,
    setOnline: (value: boolean) => {
      isOnline = value;
    },
    exportAll: () => transfers.exportZip({ kind: 'everything' }, unhurried),
  };
}

export type TransferDevice = Awaited<ReturnType<typeof setUpTransfers>>;

/** Adds a voice note that only this device has. */
export async function addSpoken(device: TransferDevice, text: string, createdDate: number) {
  const { files, petId } = device;
  const recording = await files.voice.begin({ petId, contentType: 'audio/webm;codecs=opus' });
  await recording.append(bytesOf(text), 4_000);
  await recording.finish(4_000);
  const sound = { id: recording.id, petId, contentType: 'audio/webm', durationMs: 4_000 };
  await device.commands.addVoiceNote({ ...sound, createdDate }, async () => ({}));
  await files.voice.keep(recording.id);
  return recording.id;
}

/** Lets documents name the files of all jobs, which are at their end, so that this device has the files in its caches. */
export async function endUploads({ store, outbox }: TransferDevice): Promise<void> {
  for (const job of await outbox.queue.list()) {
    const { kind, petId, entryId, objectName, md5 } = job;
    const isPicture = kind === 'profile-picture';
    const target = isPicture
      ? ({ collection: 'pets', id: petId } as const)
      : ({ collection: 'entries', id: entryId ?? '' } as const);
    const file = isPicture
      ? { profilePicturePath: objectName, profilePictureVersion: md5 }
      : { fileLocation: objectName };
    await change(store, target, (document) =>
      clean(2)({ ...document, fields: { ...document.fields, ...file } }),
    );
    await (isPicture ? outbox.keepUploadedPicture(job) : outbox.queue.end(job));
  }
}

/** Returns the fields of a pet that its owner sees. */
function contentOfPet({ fields: { name, breed, dob, description } }: Pet) {
  return { name, breed, dob, description };
}

/** Returns the fields of an entry that its owner sees. */
function contentOfEntry(row: Entry) {
  const {
    fields: { createdDate, type, text, durationMs, transcript },
  } = row;
  return { createdDate, type, text, durationMs, transcript };
}

function byText(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

/** Returns all live content of a device with its bytes, in a fixed order. */
export async function contentOf(device: TransferDevice) {
  const selector = { deleted: false };
  const pets = await device.database.pets.find({ selector }).exec();
  const entries = await device.database.journal_entries.find({ selector }).exec();
  const withPictures = pets.map(async (pet) => ({
    ...contentOfPet(pet),
    picture: textOf((await device.files.archive.picture(pet))?.bytes),
  }));
  const withSounds = entries.map(async (entry) => ({
    ...contentOfEntry(entry),
    sound: textOf((await device.files.archive.recording(entry))?.bytes),
  }));
  return {
    pets: (await Promise.all(withPictures)).toSorted(byText),
    entries: (await Promise.all(withSounds)).toSorted(byText),
  };
}

export async function textIn(zip: Blob, name: string): Promise<string> {
  const opened: Zip = await openZip(zip);
  const bytes = await opened.read(name, 10_000_000);
  if (bytes === null) throw new Error(`${name} is not in ${[...opened.entries.keys()].join(', ')}`);
  return new TextDecoder().decode(bytes);
}
