import { isPlacement } from '../../schemas/local/local-record.ts';
import { isUnsent } from '../../schemas/local/outbox-job.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import type { Collections } from '../../store/rxdb/database.ts';

const unsentStates = [1, 2] as const;

/** @returns the number of pending and parked documents, and of files that are not uploaded or not placed. */
export async function countUnsentItems(
  { pets, journal_entries: entries, local }: Collections,
  { queue }: Pick<Outbox, 'queue'>,
): Promise<number> {
  const documents = await Promise.all(
    unsentStates.flatMap((pending) => {
      const query = { selector: { pending } };
      return [pets.count(query).exec(), entries.count(query).exec()];
    }),
  );
  const files = (await queue.list()).filter(isUnsent);
  const records = await local.find({ selector: { kind: 'place-file' } }).exec();
  const placements = records.filter(({ data }) => isPlacement(data));
  return documents.reduce((sum, count) => sum + count, files.length + placements.length);
}
