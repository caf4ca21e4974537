import { isVisibleChange } from '../../schemas/documents/visible-change.ts';
import { isPlacement } from '../../schemas/local/local-record.ts';
import { isUnsent } from '../../schemas/local/outbox-job.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import type { Collections } from '../../store/rxdb/database.ts';
import { countPassing } from '../../store/rxdb/live-read.ts';

/**
 * @returns the number of pending and parked documents, and of files that are not uploaded or not placed, as the pages
 * count them.
 */
export async function countUnsentItems(
  { pets, journal_entries: entries, local }: Collections,
  { queue }: Pick<Outbox, 'queue'>,
): Promise<number> {
  const parked = { selector: { pending: 2 } } as const;
  const documents = await Promise.all([
    countPassing(pets, 1, isVisibleChange),
    countPassing(entries, 1, isVisibleChange),
    pets.count(parked).exec(),
    entries.count(parked).exec(),
  ]);
  const files = (await queue.list()).filter(isUnsent);
  const records = await local.find({ selector: { kind: 'place-file' } }).exec();
  const placements = records.filter(({ data }) => isPlacement(data));
  return documents.reduce((sum, count) => sum + count, files.length + placements.length);
}
