import type { DocumentStore } from '../../store/document-store.ts';
import { writeShare } from '../../replication/shares/share-database.ts';
import { createCommands } from '../../src/data/rx-commands.ts';
import { frozenNowMs, frozenUid, nextId, syncFrozen, type FrozenDevice } from './frozen-device.ts';
import type { MemoryServer } from './memory-remote.ts';
import { bytesOf } from './test-outbox.ts';

const refusedText = 'What the server refuses';

function commandsOf({ store }: FrozenDevice, nowMs: number) {
  let createdMs = nowMs;
  const now = (): number => (createdMs += 1_000);
  return createCommands({
    uid: frozenUid,
    store,
    now,
    correctedNow: now,
    newId: nextId,
    // As if the tab had died: the job is stored, and nothing of it is done.
    runDeletePetJob: async () => undefined,
    onWritten: () => undefined,
    onNoteKept: () => undefined,
  });
}

/** Another device has changed the description meanwhile, and is ahead in time. */
function changeElsewhere(server: MemoryServer, petId: string): void {
  const { documents, heads } = server.snapshot();
  const pet = documents.get(`pets/${petId}`);
  const head = heads.get(frozenUid);
  if (pet === undefined || head === undefined) throw new Error('The dog is not on the server');
  const seq = head.head + 1;
  const fields = { ...pet.fields, description: 'As written on the other device' };
  const edits = { ...pet.edits, description: frozenNowMs + 60_000 };
  server.put({ ...pet, fields, edits, seq });
  server.setHead(frozenUid, { ...head, head: seq });
}

async function sync(store: DocumentStore, server: MemoryServer): Promise<void> {
  const { kind } = await syncFrozen(store, server.connect(frozenUid));
  if (kind !== 'none') throw new Error(`The sync ended with: ${kind}`);
}

interface Recording {
  readonly id: string;
  readonly petId: string;
}

async function record({ outbox }: FrozenDevice, { id, petId }: Recording): Promise<void> {
  const contentType = 'audio/webm;codecs=opus';
  await outbox.recordings.begin({ id, petId, contentType, startedAtMs: frozenNowMs });
  for (const index of [0, 1, 2]) {
    const bytes = bytesOf(`piece ${String(index)} of ${id}`);
    const untilMs = (index + 1) * 500;
    await outbox.recordings.append({ recordingId: id, index, bytes, untilMs });
  }
}

/**
 * An owner with something in every state that must outlive a new release: clean, waiting with and without a base,
 * parked, a kept loser, a deletion cut off, files on their way, files kept for a look, a recording cut off.
 */
export async function makeFrozenOwner(device: FrozenDevice, server: MemoryServer): Promise<void> {
  const { store, outbox } = device;
  const commands = commandsOf(device, frozenNowMs - 3_600_000);
  const picture = { contentType: 'image/jpeg', bytes: bytesOf('a picture that is kept') };

  const cleanPet = await commands.createPet({ name: 'Bramble' });
  const noteId = await commands.addNote({ petId: cleanPet, text: 'First swim, and Ünïcödé 🐕' });
  await commands.addNote({ petId: cleanPet, text: 'Ducks at dawn' });
  const gone = await commands.addNote({ petId: cleanPet, text: 'Written, and then deleted' });
  const leaving = await commands.createPet({ name: 'Nettle' });
  await commands.addNote({ petId: leaving, text: 'Of a dog that is being deleted' });
  await sync(store, server);

  await commands.updatePet(cleanPet, { description: 'As written here' });
  changeElsewhere(server, cleanPet);
  server.refuse(({ fields }) => (fields['text'] === refusedText ? 'permission-denied' : null));
  await commands.addNote({ petId: cleanPet, text: refusedText });
  await sync(store, server);

  await outbox.caches.keepPicture(cleanPet, { md5: 'not-looked-at', ...picture });
  const heard = 'pets/p/audios/voice-note-1.webm';
  const sound = { contentType: 'audio/webm', md5: 'not-compared', bytes: bytesOf('heard before') };
  await outbox.caches.keepRecording(noteId, heard, sound);

  const waiting = await commands.createPet({ name: 'Clover' });
  await commands.addNote({ petId: waiting, text: 'Has never left this device' });
  await commands.updatePet(cleanPet, { breed: 'Vizsla' });
  await commands.editText(noteId, 'First swim, told again');
  await commands.deleteEntry(gone);
  await outbox.addPicture({ petId: waiting, ...picture, bytes: bytesOf('a picture that waits') });
  const spoken = { id: nextId(), petId: waiting };
  await record(device, spoken);
  const job = await outbox.recordings.finish(spoken.id, 1_480);
  const { contentType = '', durationMs = 0, createdAtMs: createdDate = 0 } = job ?? {};
  const note = { ...spoken, contentType, durationMs, createdDate };
  await commands.addVoiceNote(note, async () => ({}));
  await record(device, { id: nextId(), petId: cleanPet });
  await commands.deletePet(leaving);
  const shared = { id: nextId(), name: 'walk.m4a', contentType: 'audio/mp4' };
  const files = [{ ...shared, bytes: bytesOf('shared by another app') }];
  const share = { id: nextId(), createdAtMs: frozenNowMs, texts: ['From a friend'], files };
  await writeShare(share, frozenNowMs);
}
