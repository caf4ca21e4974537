import { withEdit, type LocalDocument } from '../../schemas/document.ts';
import { deletePetJobId } from '../../schemas/local-record.ts';
import type { OutboxJob } from '../../schemas/outbox-job.ts';
import { fileOf, removal } from '../../schemas/remove-file.ts';
import { changeDocuments, type Change } from '../documents/compare-and-set.ts';
import type { DocumentStore } from '../store/document-store.ts';
import type { JobPolicy, Readiness } from './job-policy.ts';
import type { Outbox } from './outbox.ts';

/**
 * Profile pictures.
 *
 * - Uploaded only after the dog is on the server: its rules ask who owns it.
 * - The dog learns of its picture by an edit like any other, which is merged and pushed.
 * - A file that it takes the place of, under another name, is removed afterwards, and so is one of a deleted dog.
 * - Once that is written the bytes move to the cache, so that the picture never goes from the screen.
 */
export interface PicturePolicyDeps {
  readonly outbox: Pick<Outbox, 'keepUploadedPicture' | 'dropPicture'>;
  readonly store: DocumentStore;
  /** Epoch milliseconds, corrected by the server's clock. */
  readonly correctedNow: () => Promise<number>;
  /** A document was edited: sync should hear of it. */
  readonly onWritten: () => void;
}

function withPicture(pet: LocalDocument, job: OutboxJob, nowMs: number): LocalDocument {
  const { objectName, md5 } = job;
  const { profilePicturePath, profilePictureVersion } = pet.fields;
  if (profilePicturePath === objectName && profilePictureVersion === md5) return pet;
  const changes = { profilePicturePath: objectName, profilePictureVersion: md5 };
  return withEdit(pet, changes, nowMs);
}

function pictured(pet: LocalDocument, job: OutboxJob, nowMs: number): Change {
  const before = fileOf(pet);
  const isLeft = before !== null && before !== job.objectName;
  const document = withPicture(pet, job, nowMs);
  return { document, jobs: isLeft ? [removal(pet, before)] : [] };
}

export function createPicturePolicy(deps: PicturePolicyDeps): JobPolicy {
  const { outbox, store, correctedNow, onWritten } = deps;

  const readiness = async ({ petId }: OutboxJob): Promise<Readiness> => {
    const pet = (await store.get('pets', [petId])).get(petId)?.document;
    if (pet === undefined || pet.deleted) return 'drop';
    if ((await store.readRecord(deletePetJobId(petId))) !== null) return 'drop';
    return pet.seq === null ? 'wait' : 'ready';
  };

  return {
    readiness,
    settle: async (job) => {
      const nowMs = await correctedNow();
      const changed = await changeDocuments(
        store,
        { collection: 'pets', ids: [job.petId] },
        (pet) => (pet === null || pet.deleted ? null : pictured(pet, job, nowMs)),
      );
      if (changed > 0) onWritten();
    },
    complete: (job) => outbox.keepUploadedPicture(job),
    drop: async (job) => {
      // It, or one that it took the place of, may have arrived without its dog's hearing of it.
      const pet = (await store.get('pets', [job.petId])).get(job.petId)?.document;
      if (pet !== undefined && pet.seq !== null) {
        await store.writeRecord(...removal(pet, job.objectName));
      }
      await outbox.dropPicture(job);
    },
  };
}
