import type { PokeReason } from '../../schemas/local/relay-message.ts';
import type { Clock } from '../ports.ts';

/** `documents`: a sync of documents has succeeded. */
export type WakeReason = PokeReason | 'documents';

export interface Wait {
  /** null waits until a poke. */
  readonly delayMs: number | null;
  /** Only the reasons `online` and `manual` end it early, and `focus` after {@link returnPauseMs}. */
  readonly isStubborn: boolean;
}

/** The time is long enough for the writes of one tap, and short enough to end before the owner locks the phone. */
export const coalesceMs = 300;

/** How long a backoff lasts at least when the owner returns to the page, however often: a broken server is not flooded. */
export const returnPauseMs = 5_000;

/** Returns milliseconds until a return to the page ends a backoff. A clock that is set back does not prolong it. */
export function returnDelayMs(sinceMs: number, nowMs: number): number {
  return Math.max(0, Math.min(returnPauseMs, returnPauseMs - (nowMs - sinceMs)));
}

/** The connection is back, or the owner asks: these reasons skip the backoff. */
export const urgentReasons: ReadonlySet<WakeReason> = new Set(['online', 'manual']);

/**
 * Creates a wait that pokes can end.
 *
 * - A poke outside of a wait ends the next wait at once, so none is lost.
 * - Local writes are debounced: they end it together after {@link coalesceMs}.
 * - `clear` forgets the pokes so far; it is called right before the run that answers them.
 */
export function createWakeUp(clock: Pick<Clock, 'now' | 'after'>) {
  const pokes = new Set<WakeReason>();
  /** Set during a wait. */
  let look: (() => void) | null = null;

  /** Returns milliseconds until the pokes so far end such a wait; null if they do not. */
  const pokedDelayMs = (isStubborn: boolean, sinceMs: number): number | null => {
    if ([...pokes].some((reason) => urgentReasons.has(reason))) return 0;
    if (isStubborn) return pokes.has('focus') ? returnDelayMs(sinceMs, clock.now()) : null;
    if (pokes.size === 0) return null;
    return pokes.size === 1 && pokes.has('local-write') ? coalesceMs : 0;
  };

  /** Also ends when `signal` is aborted. Only one wait at a time. */
  const wait = ({ delayMs, isStubborn }: Wait, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const cancels: (() => void)[] = [];
      const end = (): void => {
        look = null;
        signal.removeEventListener('abort', end);
        for (const cancel of cancels) cancel();
        resolve();
      };
      const sinceMs = clock.now();
      let isCoalescing = false;
      look = () => {
        const pokedMs = pokedDelayMs(isStubborn, sinceMs);
        if (pokedMs === 0) end();
        else if (pokedMs !== null && !isCoalescing) {
          isCoalescing = true;
          cancels.push(clock.after(pokedMs, end));
        }
      };
      signal.addEventListener('abort', end);
      if (delayMs !== null) cancels.push(clock.after(delayMs, end));
      if (signal.aborted) end();
      else look();
    });

  return {
    poke: (reason: WakeReason): void => {
      pokes.add(reason);
      look?.();
    },
    clear: () => pokes.clear(),
    wait,
  };
}
