import { runDeletePetJob } from '../../../replication/documents/push/delete-pet-job.ts';
import type { Log } from '../../../replication/ports.ts';
import type { PawPalsDatabase } from '../../../store/rxdb/database.ts';
import { createRxDocumentStore } from '../../../store/rxdb/rx-document-store.ts';
import type { Commands } from '../../data/commands/commands.ts';
import { createCommands, type CommandsDeps } from '../../data/commands/rx-commands.ts';
import { newId } from '../../platform/new-id.ts';
import { systemClock } from '../../platform/system-clock.ts';

interface OpenCommandsOptions extends Omit<
  CommandsDeps,
  'store' | 'now' | 'newId' | 'beginDeletePetJob'
> {
  readonly database: PawPalsDatabase;
  readonly log: Log;
}

/** Opens the commands of one owner. Their code loads after the first view. */
export function openCommands({ database, log, ...options }: OpenCommandsOptions): Commands {
  const store = createRxDocumentStore(database);
  return createCommands({
    ...options,
    store,
    now: systemClock.now,
    newId,
    // A long journal takes a while, and its dog is hidden already. If the job fails, the next sync runs it.
    beginDeletePetJob: async (petId) =>
      void runDeletePetJob(store, petId).then(options.onWritten, () => log('delete-pet-postponed')),
  });
}
