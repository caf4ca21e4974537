import type { PawPalsDatabase } from '../../store/database.ts';
import { createRxDocumentStore } from '../../store/rx-document-store.ts';
import { createTransfers } from '../data/rx-transfers.ts';
import type { Transfers } from '../data/transfers.ts';
import { browserOnlineSignal } from '../platform/connection.ts';
import { systemClock } from '../platform/system-clock.ts';

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
