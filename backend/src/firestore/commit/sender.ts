import { keyOf, type Client } from '../../limits/client.ts';
import type { Resources } from '../../limits/resources.ts';
import { finish, type Steps } from '../../limits/slices.ts';
import { revoked } from '../firestore-error.ts';

/** The client that sends a commit, and to which the processor time for it is charged. */
export interface Sender {
  /** The commits of one key are stored in order. */
  readonly key: string;
  /** Returns the time that the sender has used lately; whoever has used least comes first. */
  readonly usedMs: () => number;
  /** Called when the commit's turn comes. @throws to refuse it. */
  readonly check: () => void;
  /** Runs work of the commit, and charges it to the sender. */
  readonly measure: <Result>(work: () => Result) => Result;
  /** Runs long work of the commit in turns of the sender. */
  readonly inTurns: <Result>(steps: Steps<Result>) => Result | Promise<Result>;
}

/** The server as a sender of its own commits, which come first and are charged to nobody. */
export const server: Sender = {
  key: '',
  usedMs: () => -1,
  check: () => undefined,
  measure: (work) => work(),
  inTurns: finish,
};

export interface SenderDeps {
  readonly client: Client;
  readonly resources: Pick<Resources, 'work' | 'slices'>;
  /** Whether its token has not been revoked since it was checked. */
  readonly isCurrent: () => boolean;
}

export function createSender({
  client,
  resources: { work, slices },
  isCurrent,
}: SenderDeps): Sender {
  return {
    key: keyOf(client),
    usedMs: () => work.usedMs(client),
    check() {
      if (!isCurrent()) throw revoked();
      work.check(client);
    },
    measure: (run) => work.measure(client, run),
    inTurns: (steps) => slices.run(client, steps),
  };
}
