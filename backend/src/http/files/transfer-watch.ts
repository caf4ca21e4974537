import type { Clock } from '../../clock.ts';

/** Ends transfers that do not move: a client that stalls must not hold a file and a connection for ever. */
export interface TransferWatch {
  begin(cut: () => void): Transfer;
  stop(): void;
}

export interface Transfer {
  moved(): void;
  ended(): void;
}

const MAX_STALL_MS = 60_000;
const CHECK_MS = 5_000;

export function createTransferWatch(clock: Clock): TransferWatch {
  const transfers = new Map<object, { cut: () => void; movedMs: number }>();
  const stop = clock.every(CHECK_MS, () => {
    for (const [key, { cut, movedMs }] of transfers) {
      if (clock.now() - movedMs < MAX_STALL_MS) continue;
      transfers.delete(key);
      cut();
    }
  });
  return {
    stop,
    begin(cut) {
      const entry = { cut, movedMs: clock.now() };
      transfers.set(entry, entry);
      return {
        moved: () => void (entry.movedMs = clock.now()),
        ended: () => void transfers.delete(entry),
      };
    },
  };
}
