import { recordsOf } from '../../schemas/local/local-record.ts';
import { isUnsent } from '../../schemas/local/outbox-job.ts';
import { countUnsent } from '../../schemas/local/unsent-items.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import type { Collections } from '../../store/rxdb/database.ts';
import { readUnsentDocuments } from '../../store/rxdb/live-read.ts';

/** @returns the number of waiting and parked items, as the pages count them. */
export async function countUnsentItems(
  { pets, journal_entries: entries, local }: Collections,
  { queue }: Pick<Outbox, 'queue'>,
): Promise<number> {
  const records = await local.find({ selector: { kind: 'place-file' } }).exec();
  const { waitingCount, parkedCount } = countUnsent({
    petsWaiting: await readUnsentDocuments(pets, 1),
    entriesWaiting: await readUnsentDocuments(entries, 1),
    petsParked: await readUnsentDocuments(pets, 2),
    entriesParked: await readUnsentDocuments(entries, 2),
    files: (await queue.list()).filter(isUnsent),
    placements: recordsOf(
      records.map(({ id, data }) => [id, data] as const),
      'place-file',
    ),
  });
  return waitingCount + parkedCount;
}
