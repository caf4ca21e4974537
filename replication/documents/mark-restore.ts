import type { Checkpoint } from '../../schemas/local/local-record.ts';
import type { SyncContext } from './sync-context.ts';

/** Gives a restored server that kept its epoch a new one, so that every device notices the restore. */
export async function markRestore(
  context: SyncContext,
  { epoch: known }: Checkpoint,
): Promise<void> {
  context.log('sync-restored-server', { marked: 1 });
  const epoch = context.newId();
  await context.remote.transact([], ({ head }) => {
    const current = head ?? { head: 0, epoch };
    const isStill = current.epoch === known;
    return { head: isStill ? { ...current, epoch } : current, writes: [], result: null };
  });
}
