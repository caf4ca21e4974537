import type { OutboxWorker } from '../documents/coordinator.ts';
import { createWakeUp, urgentReasons } from '../documents/wake-up.ts';
import type { Clock } from '../ports.ts';
import { requeueCached } from './cached-recordings.ts';
import { findPetsGone } from './file-references.ts';
import { createFileRemovals } from './file-removals.ts';
import { followEntries, type FollowEntriesDeps } from './follow-entries.ts';
import { createPicturePolicy, type PicturePolicyDeps } from './picture-policy.ts';
import { placeFiles } from './place-files.ts';
import { sendShownVersions } from './picture-versions.ts';
import { runOutbox, type OutboxRunDeps } from './outbox-run.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import { createVoiceNotePolicy, type VoiceNotePolicyDeps } from './voice-note-policy.ts';

export interface OutboxWorkerDeps
  extends
    Omit<OutboxRunDeps, 'queue' | 'policies' | 'clock'>,
    Omit<PicturePolicyDeps, 'outbox' | 'files'>,
    Pick<VoiceNotePolicyDeps, 'transcriber'>,
    Pick<FollowEntriesDeps, 'successorId'> {
  readonly clock: Clock;
  readonly outbox: Outbox;
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
  const { clock, outbox } = deps;
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
  const runDeps: OutboxRunDeps = { ...deps, queue: outbox.queue, policies };
  const removals = createFileRemovals(deps);

  const pass = async (signal: AbortSignal): Promise<number | null> => {
    const urgent = isUrgent;
    isUrgent = false;
    try {
      await requeueCached(deps);
      await followEntries(deps);
      await placeFiles(deps, signal);
      await sendShownVersions(deps);
      const nextMs = await runOutbox(runDeps, { isUrgent: urgent, signal });
      await outbox.caches.makeRoom(await findPetsGone(deps.store, outbox.caches));
      const removalMs = await removals.run({ isUrgent: urgent, signal });
      return earliest(nextMs, removalMs);
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
