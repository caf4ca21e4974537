import type { Clock } from '../clock.ts';

/** The least number of bytes that must be transferred in a time. */
interface Pace {
  readonly bytes: number;
  readonly inMs: number;
}

const checkMs = 5_000;

/** Ends stalled and very slow transfers, so that they do not hold memory, a file and a connection for ever. */
export function createTransferWatch(clock: Clock) {
  const transfers = new Set<{ cut: () => void; pace: Pace; sinceMs: number; bytes: number }>();
  const stop = clock.every(checkMs, () => {
    for (const each of transfers) {
      if (clock.elapsedMs() - each.sinceMs < each.pace.inMs) continue;
      if (each.bytes < each.pace.bytes) {
        transfers.delete(each);
        each.cut();
      }
      each.sinceMs = clock.elapsedMs();
      each.bytes = 0;
    }
  });
  return {
    stop,
    begin(cut: () => void, pace: Pace) {
      const entry = { cut, pace, sinceMs: clock.elapsedMs(), bytes: 0 };
      transfers.add(entry);
      return {
        moved: (bytes: number) => void (entry.bytes += bytes),
        ended: () => void transfers.delete(entry),
      };
    },
  };
}
