import { cleanUpFiles, type FileCleanupCounts } from './clean-up-files.ts';
import type { FileCleanupPorts } from './ports.ts';

const minuteMs = 60_000;
/** Longer than the week that a mark waits, so a file that one round has marked is deleted by the next. */
const roundMs = 8 * 24 * 60 * minuteMs;
/** The cloud ends a scheduled function after 30 minutes. */
const runMs = 25 * minuteMs;
/** Firestore slows down where one document is written more often than once a second. */
const saveEveryMs = 10_000;

/** A pass over the whole bucket, which takes as many runs as it needs. */
export interface CleanupRound {
  /** Epoch milliseconds. */
  readonly startedMs: number;
  /** The last file of the pages that are done; null before the first page. */
  readonly after: string | null;
  readonly isDone: boolean;
}

/** Stores the current round. */
export interface CleanupRounds {
  /** Returns null if there was no round yet. */
  read(): Promise<CleanupRound | null>;
  write(round: CleanupRound): Promise<void>;
}

/**
 * Continues the current round of the clean-up for at most 25 minutes. It is meant to run every hour.
 *
 * - A round begins eight days after the previous one has begun, or when that one is done if it took longer.
 * - A run that is interrupted loses its last ten seconds at most, which the next run repeats.
 * - Concurrent runs are harmless: the stored file is one up to which some run has processed all of the round.
 * - A file that fails is left to the next round. A run that ends early by its failures is repeated by the next run.
 *
 * @returns null if no round is due.
 * @throws as `cleanUpFiles`.
 */
export async function cleanUpInRounds(
  ports: FileCleanupPorts,
  rounds: CleanupRounds,
): Promise<Readonly<FileCleanupCounts> | null> {
  const startMs = ports.now();
  const round = currentRound(await rounds.read(), startMs);
  if (round.isDone) return null;
  let savedMs = startMs;
  return cleanUpFiles(ports, {
    after: round.after,
    onPage: async (next) => {
      const nowMs = ports.now();
      const isDone = next === null;
      const isOver = isDone || nowMs - startMs >= runMs;
      if (isOver || nowMs - savedMs >= saveEveryMs) {
        await rounds.write({ startedMs: round.startedMs, after: next, isDone });
        savedMs = nowMs;
      }
      return !isOver;
    },
  });
}

function currentRound(stored: CleanupRound | null, nowMs: number): CleanupRound {
  const isDue = stored === null || (stored.isDone && nowMs - stored.startedMs >= roundMs);
  return isDue ? { startedMs: nowMs, after: null, isDone: false } : stored;
}
