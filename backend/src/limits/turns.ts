import { keyOf, type Client } from './client.ts';
import { LimitError } from './limit-error.ts';
import type { Work } from './work.ts';

/** The part until its first promise is charged. */
type Piece<Result> = () => Result | Promise<Result>;

export interface TurnsDeps {
  readonly work: Pick<Work, 'check' | 'measure' | 'restMs' | 'usedMs'>;
  /** Calls back when the event loop has turned. */
  readonly onNextTurn?: (callback: () => void) => void;
  readonly onTimeout?: (callback: () => void, delayMs: number) => void;
  readonly elapsedMs?: () => number;
}

const retryMs = 1000;
/** The longest time without a piece of waiting work while connections are accepted, by the client that is next. */
const acceptMs = { busy: 10, light: 1 };
/** A client that has lately used the thread for longer is busy: a commit takes some milliseconds, an attacker all it gets. */
const busyMs = 100;
/** The pieces of one client that wait: twice as many as the listeners of an owner, who may all hear of one commit. */
const maxWaiting = 1000;

/** A client whose work waits or runs, or that rests. */
interface Line {
  readonly client: Client;
  /** The work that waits, in order. */
  readonly pieces: (() => void)[];
  /** Whether a piece runs, or the client rests after one. */
  isBusy: boolean;
  /** The milliseconds that the client had used lately when the first of them became the next one. */
  usedMs: number;
}

const isGone = ({ gone }: Client) => gone?.aborted === true;

export type Turns = ReturnType<typeof createTurns>;

/**
 * Schedules the work of the thread that all clients share.
 *
 * - The first piece of work in a turn of the event loop runs at once, unless others wait. All others wait for a later turn,
 *   which runs one of them.
 * - The event loop accepts one connection in each turn, so turns are short, and those that accepted one are left without
 *   other work for a moment, for some milliseconds if it is that of a busy client: hundreds of connections that an attacker
 *   opens would delay all later ones by a second.
 * - The client that has used the thread least lately comes first, so one with much work delays the others by one piece of it.
 *   The pieces of one client run in order.
 * - A client that has used the thread much rests after each piece, so that the others find the thread free.
 * - All work is charged to its client.
 * - Work that waits is dropped when its client is gone, because what it holds is no longer leased.
 */
export function createTurns(deps: TurnsDeps) {
  const { work, onNextTurn = setImmediate, onTimeout = setTimeout } = deps;
  const { elapsedMs = () => performance.now() } = deps;
  const lines = new Map<string, Line>();
  /** Whether a piece has run in this turn, or one waits. */
  let isTaken = false;
  let isStopped = false;
  /** Whether a connection was accepted since the last turn for waiting work. */
  let hasAccepted = false;
  let lastPieceMs = -Infinity;

  const takeTurn = (): void => {
    if (isTaken) return;
    isTaken = true;
    onNextTurn(onTurn);
  };

  const onTurn = (): void => {
    isTaken = false;
    let next: Line | undefined;
    for (const line of lines.values()) {
      if (!line.isBusy && (next === undefined || line.usedMs < next.usedMs)) next = line;
    }
    if (next === undefined) return;
    takeTurn();
    const waitMs = next.usedMs > busyMs ? acceptMs.busy : acceptMs.light;
    const isLeftToAccept = hasAccepted && elapsedMs() - lastPieceMs < waitMs;
    hasAccepted = false;
    if (isLeftToAccept) return;
    runPiece(next, () => next.pieces.shift()?.());
    lastPieceMs = elapsedMs();
  };

  /** Runs a piece of work; then its client rests, or goes on. */
  const runPiece = <Result>(line: Line, piece: () => Result): Result => {
    const { client } = line;
    const usedMs = work.usedMs(client);
    line.isBusy = true;
    try {
      return piece();
    } finally {
      const restMs = work.restMs(client, Math.max(0, work.usedMs(client) - usedMs));
      if (restMs === 0 || isStopped) goOn(line);
      else onTimeout(() => isStopped || goOn(line), restMs);
    }
  };

  const goOn = (line: Line): void => {
    line.isBusy = false;
    if (line.pieces.length === 0) {
      lines.delete(keyOf(line.client));
    } else {
      line.usedMs = work.usedMs(line.client);
      takeTurn();
    }
  };

  const lineOf = (client: Client): Line => {
    const key = keyOf(client);
    const known = lines.get(key);
    if (known !== undefined) return known;
    const line = { client, pieces: [], isBusy: false, usedMs: work.usedMs(client) };
    lines.set(key, line);
    return line;
  };

  /** Runs the work in a later turn. */
  const later = <Result>(client: Client, piece: Piece<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (isGone(client)) throw new LimitError(retryMs);
      const { pieces } = lineOf(client);
      const drop = () => {
        pieces.splice(pieces.indexOf(take), 1);
        reject(new LimitError(retryMs));
      };
      const take = () => {
        client.gone?.removeEventListener('abort', drop);
        try {
          if (isStopped) throw new LimitError(retryMs);
          resolve(work.measure(client, piece));
        } catch (error) {
          reject(error);
        }
      };
      client.gone?.addEventListener('abort', drop);
      pieces.push(take);
      takeTurn();
    });

  /**
   * Runs the work now or later. Returns its result, or a promise of it; throws or rejects with its error.
   *
   * @throws {LimitError} when the client is gone by its turn.
   */
  const run = <Result>(client: Client, piece: Piece<Result>): Result | Promise<Result> => {
    if (isGone(client)) throw new LimitError(retryMs);
    if (isTaken || lines.has(keyOf(client))) return later(client, piece);
    takeTurn();
    return runPiece(lineOf(client), () => work.measure(client, piece));
  };

  return {
    later,
    run,
    /**
     * Runs work that the client asks for, as `run`.
     *
     * @throws {LimitError} when too much of its work waits, or its turn comes while it is over its rate.
     */
    ask<Result>(client: Client, piece: Piece<Result>): Result | Promise<Result> {
      const waiting = lines.get(keyOf(client))?.pieces.length ?? 0;
      if (waiting >= maxWaiting) throw new LimitError(retryMs);
      return run(client, () => {
        work.check(client);
        return piece();
      });
    },
    /** Tells that the event loop has accepted a connection, and may accept another one in its next turn. */
    accepted() {
      hasAccepted = true;
    },
    /** Refuses the work that waits, and all later work that has to wait, with a `LimitError`. */
    stop() {
      isStopped = true;
      for (const line of lines.values()) if (line.isBusy) goOn(line);
    },
  };
}
