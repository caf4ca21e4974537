import type { Clock } from '../clock.ts';
import type { Client } from './client.ts';
import { DEFAULT_LIMITS, type Limits } from './defaults.ts';
import { createFairQueue } from './fair-queue.ts';
import { createLevel, type Level } from './level.ts';
import { LimitError } from './limit-error.ts';
import { createRate, type Rate } from './rate.ts';
import { createTransferWatch, type TransferWatch } from './transfer-watch.ts';
import { createWork, type Work } from './work.ts';

/**
 * What clients may take of this process. Every entrance asks here, before it keeps anything:
 *
 * - levels, of what is in use at once: bodies, answers, sessions, messages, listeners, transfers, connections;
 * - rates, of what may be tried in a time: passwords, accounts, mails;
 * - the time of the thread, and the queue for passwords.
 *
 * Over a limit it throws a `LimitError`, which every route answers in the form of its protocol.
 */
export interface Resources {
  readonly limits: Limits;
  readonly levels: Readonly<Record<LevelName, Level>>;
  readonly work: Work;
  readonly transfers: TransferWatch;
  /** Charges all or none. @throws {LimitError} */
  attempt(charges: readonly Charge[]): Attempt;
  /** Forgets all attempts of a key. */
  forgive(charge: Charge): void;
  /** Runs what takes a processor of its own, few at a time and address by address. @throws {LimitError} */
  hashing<Result>(address: string, work: () => Promise<Result>): Promise<Result>;
  stop(): void;
}

type LevelName =
  | 'bodyBytes'
  | 'answerBytes'
  | 'sessions'
  | 'channelBytes'
  | 'targets'
  | 'transfers'
  | 'connections'
  | 'passwords';

type RateName =
  | 'wrongPasswords'
  | 'wrongPasswordsOfAddress'
  | 'newAccounts'
  | 'resetMails'
  | 'resetMailsOfAddress';

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
  const levels = {
    bodyBytes: createLevel(limits.bodyBytes),
    answerBytes: createLevel(limits.answerBytes),
    sessions: createLevel(limits.sessions),
    channelBytes: createLevel(limits.channelBytes),
    targets: createLevel(limits.targets),
    transfers: createLevel(limits.transfers),
    connections: createLevel(limits.connections),
    passwords: createLevel(limits.passwords),
  };
  const rates: Readonly<Record<RateName, Rate>> = {
    wrongPasswords: createRate(limits.wrongPasswords, nowMs),
    wrongPasswordsOfAddress: createRate(limits.wrongPasswordsOfAddress, nowMs),
    newAccounts: createRate(limits.newAccounts, nowMs),
    resetMails: createRate(limits.resetMails, nowMs),
    resetMailsOfAddress: createRate(limits.resetMailsOfAddress, nowMs),
  };
  const workRate = createRate(limits.work, nowMs);
  const transfers = createTransferWatch(clock);
  const queue = createFairQueue(MAX_HASHING);
  return {
    limits,
    levels,
    transfers,
    work: createWork({ rate: workRate, maxShareMs: limits.workPerCommitMs, elapsedMs }),
    attempt(charges) {
      const waitMs = Math.max(0, ...charges.map(({ rate, key }) => rates[rate].waitMs(key, 1)));
      if (waitMs > 0) throw new LimitError(waitMs);
      const add = (amount: number) => {
        for (const { rate, key } of charges) rates[rate].add(key, amount);
      };
      add(1);
      return { takeBack: () => add(-1) };
    },
    forgive: ({ rate, key }) => rates[rate].clear(key),
    async hashing(address, work) {
      const client: Client = { uid: null, address };
      const lease = levels.passwords.take(client, 1);
      try {
        return await queue.run(address, work);
      } finally {
        lease.release();
      }
    },
    stop: () => transfers.stop(),
  };
}
