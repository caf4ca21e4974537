import { getHeapStatistics } from 'node:v8';
import type { Clock } from '../clock.ts';
import { DEFAULT_LIMITS, type Limits } from './defaults.ts';
import { createFairQueue } from './fair-queue.ts';
import { createLevel, type Level, type LevelLimits } from './level.ts';
import { LimitError } from './limit-error.ts';
import { createRate, type RateLimits } from './rate.ts';
import { createSlices, type Slices } from './slices.ts';
import { createTransferWatch, type TransferWatch } from './transfer-watch.ts';
import { createWork, type Work } from './work.ts';

/**
 * What clients may take of this process. Every entrance asks here, before it keeps anything:
 *
 * - levels, of what is in use at once: bodies, answers, sessions, messages, listeners, transfers, connections;
 * - rates, of what may be tried in a time: passwords, accounts, mails;
 * - the time of the thread, of which long work takes a slice at a time, and the queue for passwords.
 *
 * Over a limit it throws a `LimitError`, which every route answers in the form of its protocol.
 */
export interface Resources {
  readonly limits: Limits;
  readonly level: (name: LevelName) => Level;
  readonly work: Work;
  readonly slices: Slices;
  readonly transfers: TransferWatch;
  /** Charges all or none. @throws {LimitError} */
  attempt(charges: readonly Charge[]): Attempt;
  /** Forgets all attempts of a key. */
  forgive(charge: Charge): void;
  /** Runs what takes a processor of its own, few at a time and address by address. @throws {LimitError} */
  hashing<Result>(address: string, work: () => Promise<Result>): Promise<Result>;
  stop(): void;
}

type NamesOf<Kind> = {
  [Name in keyof Limits]: Limits[Name] extends Kind ? Name : never;
}[keyof Limits];
type LevelName = NamesOf<LevelLimits>;
type RateName = NamesOf<RateLimits>;

interface Attempt {
  takeBack(): void;
}

export interface Charge {
  readonly rate: RateName;
  readonly key: string;
}

/** Each takes 32 MiB and a thread that the store needs as well. */
const MAX_HASHING = 2;

export interface ResourcesDeps {
  readonly clock: Clock;
  readonly limits?: Partial<Limits> | undefined;
  readonly elapsedMs?: () => number;
}

export function createResources(deps: ResourcesDeps): Resources {
  const { clock, elapsedMs = () => performance.now() } = deps;
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const nowMs = () => clock.now();
  const level = kept((name: LevelName) =>
    createLevel(name.endsWith('Bytes') ? fitToHeap(limits[name]) : limits[name]),
  );
  const rateOf = kept((name: RateName) => createRate(limits[name], nowMs));
  const transfers = createTransferWatch(clock);
  const queue = createFairQueue(MAX_HASHING);
  const work = createWork({ rate: rateOf('work'), maxShareMs: limits.workPerCommitMs, elapsedMs });
  const slices = createSlices({ work });
  return {
    limits,
    level,
    transfers,
    work,
    slices,
    attempt(charges) {
      const waitMs = Math.max(0, ...charges.map(({ rate, key }) => rateOf(rate).waitMs(key, 1)));
      if (waitMs > 0) throw new LimitError(waitMs);
      const add = (amount: number) => {
        for (const { rate, key } of charges) rateOf(rate).add(key, amount);
      };
      add(1);
      return { takeBack: () => add(-1) };
    },
    forgive: ({ rate, key }) => rateOf(rate).clear(key),
    async hashing(address, hash) {
      const lease = level('passwords').take({ uid: null, address }, 1);
      try {
        return await queue.run(address, hash);
      } finally {
        lease.release();
      }
    },
    stop() {
      transfers.stop();
      slices.stop();
    },
  };
}

/** Bodies, answers and messages of all together leave five eighths of the heap. */
function fitToHeap(limits: LevelLimits): LevelLimits {
  return { ...limits, all: Math.min(limits.all, getHeapStatistics().heap_size_limit / 8) };
}

/** Made once for each name. */
function kept<Name, Value>(make: (name: Name) => Value): (name: Name) => Value {
  const values = new Map<Name, Value>();
  return (name) => {
    const value = values.get(name) ?? make(name);
    values.set(name, value);
    return value;
  };
}
