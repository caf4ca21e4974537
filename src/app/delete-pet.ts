import { runDeletePetJob } from '../../replication/documents/delete-pet-job.ts';
import type { PawPalsDatabase } from '../../store/database.ts';
import { createRxDocumentStore } from '../../store/rx-document-store.ts';

/** Tombstones a pet and its journal, whose job is stored. */
export function deletePetNow(database: PawPalsDatabase, petId: string): Promise<void> {
  return runDeletePetJob({ store: createRxDocumentStore(database), petId });
}
