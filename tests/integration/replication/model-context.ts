import type { MemoryServer } from '../../support/fakes/memory-remote.ts';
import type { EditLedger } from './edit-ledger.ts';
import type { Mutation } from './mutation.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Process } from './step-scheduler.ts';

/** The state that the devices of one history share: the server, the network and the random source. */
export interface ModelContext {
  readonly uid: string;
  readonly server: MemoryServer;
  readonly ledger: EditLedger;
  readonly random: SeededRandom;
  readonly mutation: Mutation;
  readonly newId: () => string;
  readonly nowMs: () => number;
  readonly pause: (process: Process) => Promise<void>;
  /** The probabilities that a request is lost, that an answer is lost, and that a page repeats earlier documents. */
  lossBefore: number;
  lossAfter: number;
  duplicates: number;
  /** The number of restores; a request in flight during one fails. */
  generation: number;
}
