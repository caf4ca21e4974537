import type { OutboxWorker } from '../documents/coordinator.ts';
import { backoffCapMs, earliest } from '../connectivity/backoff.ts';
import { createWakeUp, returnDelayMs, returnPauseMs, urgentReasons } from '../documents/wake-up.ts';
import type { Clock } from '../ports.ts';
import { petsGone } from './decide.ts';
import { createFileRemovals } from './file-removals.ts';
import type { FilesContext } from './files-context.ts';
import { readLedger } from './ledger.ts';
import { runOutbox } from './outbox-run.ts';
import { createPicturePolicy } from './picture-policy.ts';
import { createFilePlacements } from './place-files.ts';
import { settleFiles } from './settle-files.ts';
import { createTranscriptRequests } from './transcript-requests.ts';
import { createVoiceNotePolicy } from './voice-note-policy.ts';

/**
 * Creates the worker that uploads files: it makes a pass after each sync of documents, and when a backoff delay is
 * over. Afterwards it removes the files from the server that no document refers to.
 *
 * - When the connection returns, or the owner asks, the next pass skips the backoff delays. After a return to the page,
 *   the first one does that begins {@link returnPauseMs} after the one before.
 * - The first pass of a session skips them too, since an owner who opens the app expects progress.
 */
export function createOutboxWorker(deps: FilesContext & { readonly clock: Clock }): OutboxWorker {
  const { clock } = deps;
  const wakeUp = createWakeUp(clock);
  let isUrgent = true;
  let isBack = false;
  let passedAtMs = -Infinity;
  let hasWritten = false;
  const onWritten = (): void => {
    hasWritten = true;
    deps.onWritten();
  };
  const transcripts = createTranscriptRequests(deps);
  const policies = {
    'profile-picture': createPicturePolicy({ ...deps, onWritten }),
    'voice-note': createVoiceNotePolicy({ ...deps, transcriber: transcripts, onWritten }),
  };
  const placements = createFilePlacements(deps);
  const removals = createFileRemovals(deps);

  const pass = async (signal: AbortSignal): Promise<number | null> => {
    const urgent = isUrgent || (isBack && returnDelayMs(passedAtMs, clock.now()) === 0);
    isUrgent = false;
    if (urgent) isBack = false;
    try {
      const options = { isUrgent: urgent, signal };
      await settleFiles(deps);
      const placeAtMs = await placements.run(options);
      const nextMs = await runOutbox({ ...deps, policies, transcripts }, options);
      const ledger = await readLedger(deps);
      await deps.outbox.caches.evictLeastRecentlyUsed(petsGone(ledger));
      const atMs = earliest([placeAtMs, nextMs, await removals.run(ledger, options)]);
      isBack &&= atMs !== null;
      passedAtMs = clock.now();
      return isBack ? earliest([atMs, passedAtMs + returnPauseMs]) : atMs;
    } catch {
      // The run was aborted or the store cannot be read; the next pass retries.
      return null;
    }
  };

  return {
    work: async (signal) => {
      let nextMs: number | null = null;
      while (!signal.aborted) {
        // After a clock was set back, a time is too far ahead for a timer, which would fire at once.
        const delayMs = nextMs && Math.min(Math.max(0, nextMs - clock.now()), backoffCapMs);
        await wakeUp.wait({ delayMs, isStubborn: false }, signal);
        wakeUp.clear();
        if (!signal.aborted) nextMs = await pass(signal);
      }
    },
    poke: (reason) => {
      if (urgentReasons.has(reason)) isUrgent = true;
      if (reason === 'focus') isBack = true;
      if (reason === 'documents') wakeUp.poke(reason);
    },
    runOnce: async (signal) => {
      hasWritten = false;
      await pass(signal);
      return hasWritten;
    },
  };
}
