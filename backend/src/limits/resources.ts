import { getHeapStatistics } from 'node:v8';
import type { Clock } from '../clock.ts';
import type { Client } from './client.ts';
import { defaultLimits, type Limits } from './defaults.ts';
import { createFairQueue } from './fair-queue.ts';
import { createLevel, type LevelLimits } from './level.ts';
import { LimitError } from './limit-error.ts';
import { createRate, type RateLimits } from './rate.ts';
import { createSlices } from './slices.ts';
import { createTransferWatch } from './transfer-watch.ts';
import { createTurns } from './turns.ts';
import { createWork } from './work.ts';

type NamesOf<Kind> = {
  [Name in keyof Limits]: Limits[Name] extends Kind ? Name : never;
}[keyof Limits];
export type LevelName = NamesOf<LevelLimits>;
type RateName = NamesOf<RateLimits>;

export interface Charge {
  readonly rate: RateName;
  readonly key: string;
}

/**
 * The price in milliseconds of the part of a body that one turn reads. Most of its cost is garbage collection, which comes
 * later, and a body of megabytes is in less of a hurry than a note.
 */
const bodyTurnMs = 0.25;

/** Each hash takes 32 MiB and a thread of the pool that the store needs as well. */
const maxHashing = 2;

export interface ResourcesDeps {
  readonly clock: Clock;
  readonly limits?: Partial<Limits> | undefined;
  /** Measures the work of the thread, which takes real time in tests as well. */
  readonly elapsedMs?: () => number;
}

export type Resources = ReturnType<typeof createResources>;

/**
 * The limits on what clients may use of this process. Every entry point asks here before it keeps anything:
 *
 * - levels limit the amount in use at once: bodies, answers, sessions, messages, listeners and their memory, transfers,
 *   connections;
 * - rates limit attempts over time: passwords, accounts, mails;
 * - the time of the thread is limited, clients take turns, long work runs in slices, and password hashing has a queue.
 *
 * Above a limit it throws a `LimitError`, which every route answers in the form of its protocol.
 */
export function createResources(deps: ResourcesDeps) {
  const { clock, elapsedMs = () => performance.now() } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  const level = kept((name: LevelName) =>
    createLevel(name.endsWith('Bytes') ? fitToHeap(limits[name]) : limits[name]),
  );
  const rateOf = kept((name: RateName) => createRate(limits[name], () => clock.elapsedMs()));
  const transfers = createTransferWatch(clock);
  const queue = createFairQueue(maxHashing);
  const rates = { owner: rateOf('work'), stranger: rateOf('workOfStranger') };
  const work = createWork({ rates, maxShareMs: limits.workPerCommitMs, elapsedMs });
  const turns = createTurns({ work });
  return {
    limits,
    level,
    transfers,
    work,
    turns,
    slices: createSlices(turns),
    /**
     * Resolves when more of a large body may be read, which takes a turn: otherwise the event loop reads megabytes of each
     * connection before it comes to anything else.
     */
    bodyTurn: (client: Client): Promise<void> =>
      turns.later(client, () => work.charge(client, bodyTurnMs)),
    /** Charges all of the rates or none. @throws {LimitError} */
    attempt(charges: readonly Charge[]) {
      const waitMs = Math.max(0, ...charges.map(({ rate, key }) => rateOf(rate).waitMs(key, 1)));
      if (waitMs > 0) throw new LimitError(waitMs);
      const add = (amount: number) => {
        for (const { rate, key } of charges) rateOf(rate).add(key, amount);
      };
      add(1);
      return { takeBack: () => add(-1) };
    },
    /** Remembers that a connection of the address was cut because it was made to cost time. */
    noteCut(address: string) {
      if (!this.isShutOut(address)) rateOf('cutConnections').add(address, 1);
    },
    isShutOut: (address: string): boolean => rateOf('cutConnections').waitMs(address, 1) > 0,
    /** Resets the attempts of the key of a rate. */
    forgive: ({ rate, key }: Charge) => rateOf(rate).clear(key),
    /** Runs a password hash, a few at a time and fairly between addresses. @throws {LimitError} */
    async hashing<Result>(address: string, hash: () => Promise<Result>): Promise<Result> {
      const lease = level('passwords').take({ uid: null, address }, 1);
      try {
        return await queue.run(address, hash);
      } finally {
        lease.release();
      }
    },
    stop() {
      transfers.stop();
      turns.stop();
    },
  };
}

/**
 * The memory that bodies, answers, messages, listeners and sorting may each take at most, which leaves three eighths of the
 * heap.
 */
export const heapShareBytes = getHeapStatistics().heap_size_limit / 8;

function fitToHeap(limits: LevelLimits): LevelLimits {
  return { ...limits, all: Math.min(limits.all, heapShareBytes) };
}

/** Memoizes `make` by name. */
function kept<Name, Value>(make: (name: Name) => Value): (name: Name) => Value {
  const values = new Map<Name, Value>();
  return (name) => {
    const value = values.get(name) ?? make(name);
    values.set(name, value);
    return value;
  };
}
