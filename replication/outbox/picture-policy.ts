import { withEdit, type LocalDocument } from '../../schemas/document.ts';
import { deletePetJobId } from '../../schemas/local-record.ts';
import type { OutboxJob } from '../../schemas/outbox-job.ts';
import { changeDocuments } from '../documents/compare-and-set.ts';
import type { DocumentStore } from '../store/document-store.ts';
import type { JobPolicy, Readiness } from './job-policy.ts';
import type { Outbox } from './outbox.ts';

/**
 * Profile pictures.
 *
 * - Uploaded only after the dog is on the server: its rules ask who owns it.
 * - The dog learns of its picture by an edit like any other, which is merged and pushed.
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
        (pet) => (pet === null || pet.deleted ? null : { document: withPicture(pet, job, nowMs) }),
      );
      if (changed > 0) onWritten();
    },
    complete: (job) => outbox.keepUploadedPicture(job),
    drop: (job) => outbox.dropPicture(job),
  };
}
