import { hasWorkLeft, isUnsent } from '../../schemas/local/outbox-job.ts';
import { countUnsent } from '../../schemas/local/unsent-items.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import type { PawPalsDatabase } from '../../store/rxdb/database.ts';
import { readUnsentDocuments } from '../../store/rxdb/live-read.ts';
import { createRxDocumentStore } from '../../store/rxdb/rx-document-store.ts';

export interface WorkLeft {
  /** The number of waiting and parked items, as the pages count them. */
  readonly count: number;
  /** Whether another pass could advance a job, or attach a file to a restored or moved document. */
  readonly hasFilesLeft: boolean;
}

export async function readWorkLeft(
  database: PawPalsDatabase,
  { queue }: Pick<Outbox, 'queue'>,
): Promise<WorkLeft> {
  const { pets, journal_entries: entries } = database;
  const jobs = await queue.list();
  const placements = await createRxDocumentStore(database).listRecords('place-file');
  const { waitingCount, parkedCount } = countUnsent({
    pets: await readUnsentDocuments(pets),
    entries: await readUnsentDocuments(entries),
    files: jobs.filter(isUnsent),
    placements,
  });
  return {
    count: waitingCount + parkedCount,
    hasFilesLeft: jobs.some(hasWorkLeft) || placements.size > 0,
  };
}
