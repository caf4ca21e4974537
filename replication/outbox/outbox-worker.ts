import type { OutboxWorker } from '../documents/coordinator.ts';
import { createWakeUp, urgentReasons } from '../documents/wake-up.ts';
import type { Clock, Transcriber } from '../ports.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import { petsGone } from './decide.ts';
import { createFileRemovals } from './file-removals.ts';
import { readLedger, type LedgerDeps } from './ledger.ts';
import { runOutbox, type OutboxRunDeps } from './outbox-run.ts';
import { createPicturePolicy } from './picture-policy.ts';
import { placeFiles } from './place-files.ts';
import { settleFiles, type SettleFilesDeps } from './settle-files.ts';
import { createVoiceNotePolicy } from './voice-note-policy.ts';

export interface OutboxWorkerDeps
  extends SettleFilesDeps, Omit<OutboxRunDeps, 'policies' | keyof LedgerDeps> {
  readonly outbox: Outbox;
  readonly store: DocumentStore;
  readonly clock: Clock;
  readonly transcriber: Transcriber;
  /** A document was edited: sync should hear of it. */
  readonly onWritten: () => void;
}

function earliest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * Files to the server: a pass after each sync of documents, and when a pause between attempts is over. Then those are removed
 * from the server that nobody speaks of any more.
 *
 * - A connection that comes back, or the owner's wish, makes the next pass keep no pause.
 * - The first pass of a session keeps none either: whoever opens the app wants to see it work.
 */
export function createOutboxWorker(deps: OutboxWorkerDeps): OutboxWorker {
  const { clock } = deps;
  const wakeUp = createWakeUp(clock);
  let isUrgent = true;
  let hasWritten = false;
  const onWritten = (): void => {
    hasWritten = true;
    deps.onWritten();
  };
  const policies = {
    'profile-picture': createPicturePolicy({ ...deps, onWritten }),
    'voice-note': createVoiceNotePolicy({ ...deps, onWritten }),
  };
  const removals = createFileRemovals(deps);

  const pass = async (signal: AbortSignal): Promise<number | null> => {
    const urgent = isUrgent;
    isUrgent = false;
    try {
      const options = { isUrgent: urgent, signal };
      await settleFiles(deps);
      await placeFiles(deps, signal);
      const nextMs = await runOutbox({ ...deps, policies }, options);
      const ledger = await readLedger(deps);
      await deps.outbox.caches.evictLeastRecentlyUsed(petsGone(ledger));
      return earliest(nextMs, await removals.run(ledger, options));
    } catch {
      // Aborted, or the device cannot read: the next pass sees.
      return null;
    }
  };

  return {
    work: async (signal) => {
      let nextMs: number | null = null;
      while (!signal.aborted) {
        const delayMs = nextMs === null ? null : Math.max(0, nextMs - clock.now());
        await wakeUp.wait({ delayMs, isStubborn: false }, signal);
        wakeUp.clear();
        if (!signal.aborted) nextMs = await pass(signal);
      }
    },
    poke: (reason) => {
      if (urgentReasons.has(reason)) isUrgent = true;
      if (reason === 'documents') wakeUp.poke(reason);
    },
    runOnce: async (signal) => {
      hasWritten = false;
      await pass(signal);
      return hasWritten;
    },
  };
}
