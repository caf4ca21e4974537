import { withEdit, type LocalDocument } from '../../schemas/document.ts';
import { deletePetJobId } from '../../schemas/local-record.ts';
import { pictureStamp, untried, type OutboxJob } from '../../schemas/outbox-job.ts';
import { fileOf, removal } from '../../schemas/remove-file.ts';
import { changeDocuments, type Change } from '../../store/change-documents.ts';
import { RemoteError, type RemoteFiles } from '../ports.ts';
import type { DocumentStore, RecordWrite } from '../../store/document-store.ts';
import { findRestorable } from './file-references.ts';
import type { JobPolicy, Readiness } from './job-policy.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import { pictureVersion, versionIds } from './picture-versions.ts';

/**
 * Profile pictures. All pictures of a dog have one name on the server, so an upload overwrites; see O7 in
 * replication/SPEC.md.
 *
 * - Uploaded only after the dog is on the server: its rules ask who owns it.
 * - The dog learns of its picture by an edit that is stamped with the time its owner chose it.
 * - A picture that is older than one of another device is not uploaded: it becomes another version, with its bytes.
 * - A picture that its owner had not seen is overwritten only after it became another version, with its bytes, and only
 *   if it is still the one that was looked at.
 * - A job ends when the server says of the dog that this is its picture and has this file. Until then it starts again.
 * - A file that it takes the place of, under another name, is removed afterwards, and so is one of a deleted dog.
 */
export interface PicturePolicyDeps {
  readonly outbox: Pick<Outbox, 'keepUploadedPicture' | 'dropPicture' | 'caches' | 'queue'>;
  readonly store: DocumentStore;
  readonly files: Pick<RemoteFiles, 'stat' | 'download'>;
  /** Epoch milliseconds, corrected by the server's clock. */
  readonly correctedNow: () => Promise<number>;
  /** A document was edited: sync should hear of it. */
  readonly onWritten: () => void;
}

function isSeen({ md5, replaces = [] }: OutboxJob, version: unknown): boolean {
  return version === md5 || replaces.some((seen) => seen === version);
}

/** The dog has a picture that was chosen later. */
function isOutdated(pet: LocalDocument, job: OutboxJob): boolean {
  const version = pet.fields['profilePictureVersion'];
  if (version === undefined || version === job.md5) return false;
  const aheadMs = pictureStamp(pet.edits) - job.createdAtMs;
  return aheadMs > 0 || (aheadMs === 0 && !isSeen(job, version));
}

function withPicture(pet: LocalDocument, job: OutboxJob): LocalDocument {
  const { objectName, md5, createdAtMs } = job;
  const { profilePicturePath, profilePictureVersion } = pet.fields;
  if (profilePicturePath === objectName && profilePictureVersion === md5) return pet;
  const changes = { profilePicturePath: objectName, profilePictureVersion: md5 };
  const edited = withEdit(pet, changes, createdAtMs);
  // Edits of other fields say nothing of when this was chosen.
  const stamp = Math.max(createdAtMs, pictureStamp(pet.edits) + 1);
  const edits = { ...edited.edits, profilePicturePath: stamp, profilePictureVersion: stamp };
  return { ...edited, edits };
}

function pictured(pet: LocalDocument, job: OutboxJob): Change {
  const before = fileOf(pet);
  const isLeft = before !== null && before !== job.objectName;
  return { document: withPicture(pet, job), records: isLeft ? [removal(pet, before)] : [] };
}

export function createPicturePolicy(deps: PicturePolicyDeps): JobPolicy {
  const { outbox, store, files, correctedNow, onWritten } = deps;

  const petOf = async ({ petId }: OutboxJob): Promise<LocalDocument | undefined> =>
    (await store.get('pets', [petId])).get(petId)?.document;

  /** undefined also once its deletion has begun. */
  const livePetOf = async (job: OutboxJob): Promise<LocalDocument | undefined> => {
    const pet = await petOf(job);
    if (pet?.deleted !== false) return undefined;
    return (await store.readRecord(deletePetJobId(job.petId))) === null ? pet : undefined;
  };

  const readiness = async (job: OutboxJob): Promise<Readiness> => {
    const pet = await livePetOf(job);
    if (pet === undefined) return (await findRestorable(store)).has(job.petId) ? 'wait' : 'drop';
    if (isOutdated(pet, job)) return 'drop';
    return pet.seq === null ? 'wait' : 'ready';
  };

  /** The record of a version; none if there is one already. */
  const versionRecords = async (
    pet: LocalDocument,
    version: Omit<Parameters<typeof pictureVersion>[1], 'keptAtMs'>,
  ): Promise<readonly RecordWrite[]> => {
    if ((await versionIds(store, { petId: pet.id, md5: version.md5 })).length > 0) return [];
    return [pictureVersion(pet, { ...version, keptAtMs: await correctedNow() })];
  };

  /** Keeps the picture that the server has under that name, unless the owner has seen it. @returns its hash. */
  const keepUnseen = async (
    { pet, job, name }: { pet: LocalDocument; job: OutboxJob; name: string },
    signal: AbortSignal,
  ): Promise<string | null> => {
    const stored = await files.stat(name, signal);
    if (stored === null || isSeen(job, stored.md5)) return stored?.md5 ?? null;
    const picture = { petId: pet.id, md5: stored.md5 };
    if ((await outbox.caches.version(picture)) === null) {
      const file = await files.download(name, signal);
      if (file?.md5 !== stored.md5) throw new RemoteError('transient', 'replaced');
      const isOfPet = pet.fields['profilePictureVersion'] === stored.md5;
      const stampMs = isOfPet ? pictureStamp(pet.edits) : 0;
      const version = { objectName: name, md5: stored.md5, stampMs, side: 'server' } as const;
      const kept = outbox.caches.asVersion(picture, file);
      await store.commit({ records: await versionRecords(pet, version), bytes: [kept] });
    }
    return stored.md5;
  };

  /** Not uploaded, or not shown any more. */
  const keepOutdated = async (pet: LocalDocument, job: OutboxJob): Promise<void> => {
    const { objectName, md5, createdAtMs: stampMs } = job;
    const records = await versionRecords(pet, { objectName, md5, stampMs, side: 'local' });
    const isLeft = fileOf(pet) !== objectName;
    const removals = isLeft ? [removal(pet, objectName)] : [];
    await outbox.queue.end(job, { records: [...records, ...removals] });
  };

  return {
    readiness,
    prepare: async (job, signal) => {
      const pet = await petOf(job);
      if (pet === undefined) return null;
      const shown = fileOf(pet);
      if (shown !== null && shown !== job.objectName) {
        await keepUnseen({ pet, job, name: shown }, signal);
      }
      // Nothing is expected there: the server refuses the upload if something is, and then it is looked at.
      const isFresh = job.stage === 'queued' && job.attempts === 0;
      if (isFresh && shown === null && (job.replaces ?? []).length === 0) return null;
      return keepUnseen({ pet, job, name: job.objectName }, signal);
    },
    settle: async (job) => {
      const changed = await changeDocuments(
        store,
        { collection: 'pets', ids: [job.petId] },
        (pet) => (pet === null || pet.deleted || isOutdated(pet, job) ? null : pictured(pet, job)),
      );
      if (changed > 0) onWritten();
      return true;
    },
    complete: async (job, signal) => {
      const pet = await petOf(job);
      // What the server knows decides, also of an edit that is on its way.
      if (pet === undefined || pet.pending !== 0) return;
      const isShown = pet.fields['profilePictureVersion'] === job.md5;
      const stored = isShown ? await files.stat(job.objectName, signal) : null;
      if (stored?.md5 === job.md5) await outbox.keepUploadedPicture(job);
      else await outbox.queue.move(job, { ...untried, stage: 'queued' });
    },
    drop: async (job) => {
      const alive = await livePetOf(job);
      if (alive !== undefined) {
        await keepOutdated(alive, job);
        return;
      }
      // It, or one that it took the place of, may have arrived without its dog's hearing of it.
      const pet = await petOf(job);
      const isKnown = pet !== undefined && pet.seq !== null;
      await outbox.dropPicture(job, isKnown ? { records: [removal(pet, job.objectName)] } : {});
    },
  };
}
