import { createTransfers } from '../data/rx-transfers.ts';
import type { Transfers } from '../data/transfers.ts';
import { browserOnlineSignal } from '../platform/connection.ts';
import { systemClock } from '../platform/system-clock.ts';

type OpenTransfersOptions = Omit<Parameters<typeof createTransfers>[0], 'isOnline' | 'now'>;

export function openTransfers(options: OpenTransfersOptions): Transfers {
  return createTransfers({
    ...options,
    isOnline: browserOnlineSignal.isOnline,
    now: systemClock.now,
  });
}
