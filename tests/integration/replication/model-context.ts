import type { MemoryServer } from '../../support/fakes/memory-remote.ts';
import type { EditLedger } from './edit-ledger.ts';
import type { Mutation } from './mutation.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Process } from './step-scheduler.ts';

/** What the devices of one history share: the server, the network between, and chance. */
export interface ModelContext {
  readonly uid: string;
  readonly server: MemoryServer;
  readonly ledger: EditLedger;
  readonly random: SeededRandom;
  readonly mutation: Mutation;
  readonly newId: () => string;
  readonly nowMs: () => number;
  readonly pause: (process: Process) => Promise<void>;
  /** Probability that a request is lost, that an answer is, that a page repeats earlier documents. */
  lossBefore: number;
  lossAfter: number;
  duplicates: number;
  /** Raised by a restore: requests under way then fail. */
  generation: number;
}
