import type { PawPalsDatabase } from '../../../store/rxdb/database.ts';
import { createRxDocumentStore } from '../../../store/rxdb/rx-document-store.ts';
import { createTransfers } from '../../data/transfer/rx-transfers.ts';
import type { Transfers } from '../../data/transfer/transfers.ts';
import { browserOnlineSignal } from '../../platform/connection.ts';
import { systemClock } from '../../platform/system-clock.ts';

interface OpenTransfersOptions extends Omit<
  Parameters<typeof createTransfers>[0],
  'collections' | 'store' | 'isOnline' | 'now'
> {
  readonly database: PawPalsDatabase;
}

export function openTransfers({ database, ...options }: OpenTransfersOptions): Transfers {
  return createTransfers({
    ...options,
    collections: database,
    store: createRxDocumentStore(database),
    isOnline: browserOnlineSignal.isOnline,
    now: systemClock.now,
  });
}
