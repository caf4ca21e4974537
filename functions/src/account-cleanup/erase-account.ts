import { transcriptionLimitPath } from '../transcription/limit-path.ts';
import type { CleanupPorts, DocumentQuery } from './ports.ts';

/** A page is below Firestore's limit of 500 writes per commit, and small enough for the embedded server on a full disk. */
const pageSize = 100;

/** The numbers of documents and files that this run has deleted. */
export interface Erased {
  entries: number;
  pets: number;
  files: number;
}

type Page = readonly string[];

/**
 * Erases the data of a deleted user.
 *
 * - `sync/{uid}` is closed first: the rules refuse every write of an owner whose sync is closed, so a device whose
 *   token is still valid cannot write data back.
 * - A pet is deleted last, after everything that is found through it, so that an interrupted run is completed by the
 *   next.
 * - Files are erased before the pet and once more after it: the rules refuse uploads for a missing pet, and the second
 *   pass removes uploads that were in flight before.
 * - Each page is processed before the next is read, so memory does not grow with the journal.
 * @throws the port's error if it cannot continue; the next call resumes.
 */
export async function eraseAccount(ports: CleanupPorts, uid: string): Promise<Erased> {
  const erased: Erased = { entries: 0, pets: 0, files: 0 };
  await ports.documents.closeSync(uid);
  const own: DocumentQuery = {
    collection: 'journalEntries',
    isGroup: true,
    equals: { field: 'createdBy', value: uid },
  };
  erased.entries += await eraseDocuments(ports, own);
  const pets: DocumentQuery = {
    collection: 'pets',
    isGroup: false,
    equals: { field: 'ownerId', value: uid },
  };
  await eachPage(
    () => ports.documents.find(pets, pageSize),
    async (page) => {
      for (const pet of page) await erasePet(ports, pet, erased);
    },
  );
  // Without a pet nothing is transcribed, so the rate limit is no longer needed.
  await ports.documents.delete([transcriptionLimitPath(uid)]);
  return erased;
}

async function erasePet(ports: CleanupPorts, pet: string, erased: Erased): Promise<void> {
  erased.entries += await eraseDocuments(ports, {
    collection: `${pet}/journalEntries`,
    isGroup: false,
  });
  erased.files += await eraseFiles(ports, `${pet}/`);
  await ports.documents.delete([pet]);
  erased.pets += 1;
  erased.files += await eraseFiles(ports, `${pet}/`);
}

const eraseDocuments = ({ documents }: CleanupPorts, query: DocumentQuery): Promise<number> =>
  eachPage(
    () => documents.find(query, pageSize),
    (page) => documents.delete(page),
  );

const eraseFiles = ({ files }: CleanupPorts, prefix: string): Promise<number> =>
  eachPage(
    () => files.find(prefix, pageSize),
    (page) => files.delete(page),
  );

/** @returns the number of items found. */
async function eachPage(
  next: () => Promise<Page>,
  erase: (page: Page) => Promise<void>,
): Promise<number> {
  let count = 0;
  for (let page = await next(); page.length > 0; page = await next()) {
    await erase(page);
    count += page.length;
  }
  return count;
}
