import { withEdit, type LocalDocument } from '../../schemas/documents/document.ts';
import { pictureStamp, untried, type OutboxJob } from '../../schemas/local/outbox-job.ts';
import { fileOf, removal } from '../../schemas/local/remove-file.ts';
import { changeDocuments, type Change } from '../../store/change-documents.ts';
import { RemoteError } from '../ports.ts';
import { isOutdated, isSeen } from './decide.ts';
import type { FilesContext } from './files-context.ts';
import type { JobAtHand, JobPolicy } from './job-policy.ts';
import { versionRecords } from './picture-versions.ts';

function withPicture(pet: LocalDocument, job: OutboxJob): LocalDocument {
  const { objectName, md5, createdAtMs } = job;
  const { profilePicturePath, profilePictureVersion } = pet.fields;
  if (profilePicturePath === objectName && profilePictureVersion === md5) return pet;
  const changes = { profilePicturePath: objectName, profilePictureVersion: md5 };
  const edited = withEdit(pet, changes, createdAtMs);
  // The stamp ignores edits of other fields, which say nothing about when this picture was chosen.
  const stamp = Math.max(createdAtMs, pictureStamp(pet.edits) + 1);
  const edits = { ...edited.edits, profilePicturePath: stamp, profilePictureVersion: stamp };
  return { ...edited, edits };
}

function pictured(pet: LocalDocument, job: OutboxJob): Change {
  const before = fileOf(pet);
  const isLeft = before !== null && before !== job.objectName;
  return { document: withPicture(pet, job), records: isLeft ? [removal(pet, before)] : [] };
}

/**
 * Syncs profile pictures. All pictures of a pet have one name on the server, so an upload overwrites; see O7 in
 * replication/SPEC.md.
 *
 * - A picture is uploaded only after its pet is on the server, since the security rules look up the pet's owner.
 * - The pet gets its picture by an edit that is stamped with the time at which its owner chose it.
 * - A picture that its owner has not seen is overwritten only after it was stored as a conflict version, with its
 *   bytes, and only if it is still the picture that was read.
 * - A job ends when the server's pet refers to this picture and the server has this file. Until then it starts again.
 * - A file that it replaces under another name is removed afterwards.
 */
export function createPicturePolicy(deps: FilesContext): JobPolicy {
  const { outbox, store, files, onWritten } = deps;

  /**
   * Stores the server's picture of that name as a conflict version, unless the owner has seen it. @returns its hash.
   */
  const keepUnseen = async (
    { job, document: pet, ledger, signal }: JobAtHand,
    name: string,
  ): Promise<string | null> => {
    const stored = await files.stat(name, signal);
    if (stored === null || isSeen(job, pet, stored.md5)) return stored?.md5 ?? null;
    const picture = { petId: pet.id, md5: stored.md5 };
    if ((await outbox.caches.version(picture)) === null) {
      const file = await files.download(name, signal);
      if (file?.md5 !== stored.md5) throw new RemoteError('transient', 'replaced');
      const isOfPet = pet.fields['profilePictureVersion'] === stored.md5;
      const stampMs = isOfPet ? pictureStamp(pet.edits) : 0;
      const version = { objectName: name, md5: stored.md5, stampMs, side: 'server' } as const;
      const kept = outbox.caches.asVersion(picture, file);
      await store.commit({ records: versionRecords(ledger, pet, version), bytes: [kept] });
    }
    return stored.md5;
  };

  return {
    prepare: async (at) => {
      const { job } = at;
      const shown = fileOf(at.document);
      if (shown !== null && shown !== job.objectName) await keepUnseen(at, shown);
      // The server should have no picture: if it has one, it refuses the upload, and the next attempt looks at it.
      const isFresh = job.stage === 'queued' && job.attempts === 0;
      if (isFresh && shown === null && (job.replaces ?? []).length === 0) return null;
      return keepUnseen(at, job.objectName);
    },
    settle: async ({ job }) => {
      const target = { collection: 'pets', ids: [job.petId] } as const;
      const changed = await changeDocuments(store, { targets: [target] }, (pet) =>
        pet === null || pet.deleted || isOutdated(pet, job) ? null : pictured(pet, job),
      );
      if (changed > 0) onWritten();
      return true;
    },
    complete: async ({ job, document: pet, signal }) => {
      // Only the server's state decides, so a pending edit has to be pushed first.
      if (pet.pending !== 0) return;
      const isShown = pet.fields['profilePictureVersion'] === job.md5;
      const stored = isShown ? await files.stat(job.objectName, signal) : null;
      if (stored?.md5 === job.md5) await outbox.keepUploadedPicture(job);
      else await outbox.queue.move(job, { ...untried, stage: 'queued' });
    },
  };
}
