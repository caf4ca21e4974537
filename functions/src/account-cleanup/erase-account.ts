import { transcriptionLimitPath } from '../transcription/limit-path.ts';
import type { CleanupPorts, DocumentQuery } from './ports.ts';

/**
 * Erases what a deleted user has left.
 *
 * - `sync/{uid}` is closed first: rules refuse every write of an owner whose sync is closed, so a device whose token is
 *   still good cannot bring back what is erased after it.
 * - A pet goes last, after everything that is found through it. Whatever interrupts the work, the next run finds the rest.
 * - Files are erased before the pet and once more after it: rules let nobody upload for a pet that is not there, and what
 *   was on its way while the pet was is swept.
 * - A page is forgotten before the next is read, so memory does not grow with the journal.
 */

/** Firestore takes 500 writes in one commit. */
const pageSize = 300;

/** How many of each were found and deleted by this run. */
export interface Erased {
  entries: number;
  pets: number;
  files: number;
}

type Page = readonly string[];

/** Rejects with the port's error when it cannot go on; then it is to be called again, which goes on from there. */
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
  // Without a pet nothing of theirs is transcribed any more, so nothing is counted.
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

/** @returns how many were found. */
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
