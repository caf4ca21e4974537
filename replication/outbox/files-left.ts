import { hasWorkLeft } from '../../schemas/local/outbox-job.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import type { Collections } from '../../store/rxdb/database.ts';

/** Whether another pass could advance a job, or attach a file to a restored or moved document. */
export async function hasFilesLeft(
  { local }: Pick<Collections, 'local'>,
  { queue }: Pick<Outbox, 'queue'>,
): Promise<boolean> {
  if ((await queue.list()).some(hasWorkLeft)) return true;
  return (await local.count({ selector: { kind: 'place-file' } }).exec()) > 0;
}
