import { keyOf, type Client } from './client.ts';
import { LimitError } from './limit-error.ts';
import type { Work } from './work.ts';

/** The part until its first promise is charged. */
type Piece<Result> = () => Result | Promise<Result>;

/**
 * Schedules the work of the thread that all clients share.
 *
 * - The first piece of work in a turn of the event loop runs at once, unless others wait. All others wait for a later turn,
 *   which runs one of them. Turns are short, because the event loop accepts one connection in each.
 * - The client that has used the thread least lately comes first, so one with much work delays the others by one piece of it.
 *   The pieces of one client run in order.
 * - All work is charged to its client.
 */
export interface Turns {
  /** Runs the work now or later. Returns its result, or a promise of it; throws or rejects with its error. */
  run<Result>(client: Client, work: Piece<Result>): Result | Promise<Result>;
  /** Runs work that the client asks for, as `run`. @throws {LimitError} when its turn comes while it is over its rate. */
  ask<Result>(client: Client, work: Piece<Result>): Result | Promise<Result>;
  /** Runs the work in a later turn. */
  later<Result>(client: Client, work: Piece<Result>): Promise<Result>;
  /** Refuses the work that waits, and all later work that has to wait, with a `LimitError`. */
  stop(): void;
}

export interface TurnsDeps {
  readonly work: Pick<Work, 'check' | 'measure' | 'usedMs'>;
  /** Calls back when the event loop has turned. */
  readonly onNextTurn?: (callback: () => void) => void;
}

const retryMs = 1000;

/** The work of one client that waits, in order. */
interface Line {
  readonly client: Client;
  readonly pieces: (() => void)[];
  /** The time that the client had used when the first of them became the next one. */
  usedMs: number;
}

export function createTurns({ work, onNextTurn = setImmediate }: TurnsDeps): Turns {
  const lines = new Map<string, Line>();
  /** Whether a piece has run in this turn, or one waits. */
  let isTaken = false;
  let isStopped = false;

  const takeTurn = (): void => {
    if (isTaken) return;
    isTaken = true;
    onNextTurn(onTurn);
  };

  const onTurn = (): void => {
    isTaken = false;
    let next: Line | undefined;
    for (const line of lines.values()) {
      if (next === undefined || line.usedMs < next.usedMs) next = line;
    }
    if (next === undefined) return;
    takeTurn();
    next.pieces.shift()?.();
    if (next.pieces.length === 0) lines.delete(keyOf(next.client));
    else next.usedMs = work.usedMs(next.client);
  };

  const lineOf = (client: Client): Line => {
    const key = keyOf(client);
    const line = lines.get(key) ?? { client, pieces: [], usedMs: work.usedMs(client) };
    lines.set(key, line);
    return line;
  };

  const later = <Result>(client: Client, piece: Piece<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      lineOf(client).pieces.push(() => {
        try {
          if (isStopped) throw new LimitError(retryMs);
          resolve(work.measure(client, piece));
        } catch (error) {
          reject(error);
        }
      });
      takeTurn();
    });

  const run = <Result>(client: Client, piece: Piece<Result>): Result | Promise<Result> => {
    if (isTaken) return later(client, piece);
    takeTurn();
    return work.measure(client, piece);
  };

  return {
    later,
    run,
    ask: (client, piece) =>
      run(client, () => {
        work.check(client);
        return piece();
      }),
    stop() {
      isStopped = true;
    },
  };
}
