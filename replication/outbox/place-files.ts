import type { LocalDocument } from '../../schemas/document.ts';
import { placeFileJobId, type PlaceFileJob } from '../../schemas/local-record.ts';
import { pictureJobId, pictureType } from '../../schemas/outbox-job.ts';
import { fileOf } from '../../schemas/remove-file.ts';
import { voiceNoteJobId } from '../../schemas/voice-note.ts';
import { RemoteError, type RemoteFiles } from '../ports.ts';
import { writeRecord } from '../../store/change-documents.ts';
import { together, type DocumentStore, type Writes } from '../../store/document-store.ts';
import type { Outbox } from '../../store/files/outbox.ts';

/**
 * Brings files to documents that were restored or moved: from the outbox or a cache of this device, else from where the
 * server has them. They become jobs of the outbox. See O8 in replication/SPEC.md.
 *
 * - A record goes in the commit that gives the outbox its bytes.
 * - What cannot be had now is looked for again with each pass. After a day without its document, or without its file on
 *   the server, a record goes.
 */
export interface PlaceFilesDeps {
  readonly outbox: Outbox;
  readonly store: Pick<DocumentStore, 'get' | 'listRecords' | 'commit'>;
  readonly files: Pick<RemoteFiles, 'download'>;
  readonly correctedNow: () => Promise<number>;
  /** The id under which a deleted entry comes back when its deletion is taken back. */
  readonly successorId: (entryId: string) => Promise<string>;
}

interface Found {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
}

const keptMs = 24 * 3_600_000;

/**
 * - `placed`: the outbox has it, or the document has another one.
 * - `missing`: neither this device nor the server has it.
 */
type Outcome = 'placed' | 'missing';

function placed({ documentId }: PlaceFileJob): Writes {
  return { records: [[placeFileJobId(documentId), null]] };
}

export async function placeFiles(deps: PlaceFilesDeps, signal: AbortSignal): Promise<void> {
  const { outbox, store, successorId } = deps;

  const documentOf = async (
    collection: PlaceFileJob['collection'],
    id: string,
  ): Promise<LocalDocument | null> => {
    const found = (await store.get(collection, [id])).get(id)?.document;
    return found?.deleted === false ? found : null;
  };

  const download = async (
    objectName: string | null,
    isWanted: (md5: string) => boolean,
  ): Promise<Found | null> => {
    const found = objectName === null ? null : await deps.files.download(objectName, signal);
    return found !== null && isWanted(found.md5) ? found : null;
  };

  const findPicture = async (job: PlaceFileJob): Promise<Found | null> => {
    const { sourceId, documentId, objectName, version } = job;
    const contentType = pictureType(objectName);
    const kept =
      version === null ? null : await outbox.caches.version({ petId: sourceId, md5: version });
    if (kept !== null) return { bytes: kept.bytes, contentType };
    const isOther = sourceId !== documentId;
    const cached = await outbox.caches.picture(sourceId);
    if (cached !== null && (cached.md5 === version || (version === null && isOther))) return cached;
    // In the folder of another dog lies its last picture, whatever its document said.
    return download(objectName, (md5) => isOther || md5 === version);
  };

  const placePicture = async (job: PlaceFileJob, pet: LocalDocument): Promise<Outcome> => {
    const { chosenAtMs, sourceId } = job;
    const waiting = await outbox.queue.get(pictureJobId(pet.id));
    if (waiting !== null && waiting.createdAtMs > chosenAtMs) return 'placed';
    // One that the dog before was still to get is newer than what its document said.
    const left = sourceId === pet.id ? null : await outbox.queue.get(pictureJobId(sourceId));
    const own = left === null ? null : await outbox.queue.readBytes(left);
    const found =
      left !== null && own !== null
        ? { bytes: own, contentType: left.contentType }
        : await findPicture(job);
    if (found === null) return 'missing';
    const shown = pet.fields['profilePictureVersion'];
    const replaces = typeof shown === 'string' ? [shown] : [];
    const { bytes, contentType } = found;
    const ended = left === null ? {} : { jobs: [{ from: left, to: null }] };
    const picture = { petId: pet.id, bytes, contentType, chosenAtMs, replaces };
    await outbox.addPicture(picture, together(placed(job), ended));
    return 'placed';
  };

  const placeRecording = async (job: PlaceFileJob, entry: LocalDocument): Promise<Outcome> => {
    const { objectName } = job;
    const { id: entryId, fields } = entry;
    const petId = entry.petId ?? '';
    const isThere = fileOf(entry) !== null || (await outbox.queue.get(voiceNoteJobId(entryId)));
    if (isThere) return 'placed';
    const cached = objectName === null ? null : await outbox.caches.recording(objectName);
    const found = cached ?? (await download(objectName, () => true));
    if (found === null) return 'missing';
    const known = fields['contentType'];
    const contentType = typeof known === 'string' ? known : found.contentType;
    const audio = { entryId, petId, objectName: objectName ?? '', contentType };
    await outbox.voiceNotes.sendAgain(audio, found.bytes, placed(job));
    return 'placed';
  };

  const place = async (job: PlaceFileJob): Promise<Outcome> => {
    const { collection, documentId } = job;
    if (collection === 'pets') {
      const pet = await documentOf(collection, documentId);
      return pet === null ? 'missing' : placePicture(job, pet);
    }
    const entry =
      (await documentOf(collection, documentId)) ??
      (await documentOf(collection, await successorId(documentId)));
    return entry === null ? 'missing' : placeRecording(job, entry);
  };

  const nowMs = await deps.correctedNow();
  for (const [id, job] of await store.listRecords('place-file')) {
    if (job.kind !== 'place-file') continue;
    signal.throwIfAborted();
    try {
      const outcome = await place(job);
      const isOver = outcome === 'placed' || nowMs - job.chosenAtMs > keptMs;
      if (isOver) await writeRecord(store, id, null);
    } catch (error) {
      signal.throwIfAborted();
      // Without an answer, and refused: the next pass asks again, and other files are not held up.
      if (!(error instanceof RemoteError)) throw error;
    }
  }
}
