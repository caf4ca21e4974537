import { isAtRest, isOfDeleted, untried, type OutboxJob } from '../../schemas/local/outbox-job.ts';
import { backoffDelayMs, earliest, isOver } from '../connectivity/backoff.ts';
import { noEngineCode } from '../../schemas/transcription.ts';
import { md5Base64 } from '../../store/files/md5.ts';
import { RemoteError } from '../ports.ts';
import { decideJob } from './decide.ts';
import { failureOf } from './failure.ts';
import type { FilesContext, PassOptions } from './files-context.ts';
import type { JobAtHand, JobPolicies } from './job-policy.ts';
import { readLedgerOf } from './ledger.ts';
import type { TranscriptRequests } from './transcript-requests.ts';

export interface OutboxRunContext extends FilesContext {
  readonly policies: JobPolicies;
  readonly transcripts: Omit<TranscriptRequests, 'transcribe'>;
}

/** Ends the pass: nobody is signed in or the connection is gone, so no job can continue, and none has failed. */
class PassOverError extends Error {}

/** The first phase uploads files; the second requests transcripts of those that the server has. */
type Phase = 'files' | 'transcripts';

function isOfPhase({ stage }: OutboxJob, phase: Phase): boolean {
  return (stage === 'transcribing') === (phase === 'transcripts');
}

/** Orders the jobs of a phase: a recording that the server's engine does not survive must not keep back the others. */
function inTurn(jobs: readonly OutboxJob[], phase: Phase): readonly OutboxJob[] {
  const turn = jobs.filter((job) => isOfPhase(job, phase));
  return phase === 'files' ? turn : turn.toSorted((one, other) => one.attempts - other.attempts);
}

interface JobRun {
  readonly phase: Phase;
  readonly deps: OutboxRunContext;
  readonly signal: AbortSignal;
}

/** @returns null if the job was replaced in the meantime. */
async function upload(
  { outbox: { queue }, files, policies }: OutboxRunContext,
  at: JobAtHand,
): Promise<OutboxJob | null> {
  const { job, signal } = at;
  const policy = policies[job.kind];
  const bytes = await queue.readBytes(job);
  if (bytes === null) throw new RemoteError('permanent', 'bytes-missing');
  const md5 = md5Base64(bytes);
  const replaces = await policy.prepare(at, md5);
  // An earlier upload has arrived although its answer was lost.
  if (replaces === md5) return queue.move(job, { stage: 'uploaded', code: null });
  const begun = job.stage === 'uploading' ? job : await queue.move(job, { stage: 'uploading' });
  if (begun === null) return null;
  const { objectName, contentType } = begun;
  signal.throwIfAborted();
  const stored = await files.upload({ objectName, contentType, bytes, replaces }, signal);
  const isConfirmed = stored.md5 === md5 && stored.byteLength === bytes.byteLength;
  if (!isConfirmed) throw new RemoteError('transient', 'not-confirmed');
  const uploaded = await queue.move(begun, { stage: 'uploaded', code: null });
  if (uploaded === null) await policy.leave?.(begun);
  return uploaded;
}

/** Runs one stage. @returns the job after it; null if there is nothing more to do. */
async function step({ phase, deps, signal }: JobRun, job: OutboxJob): Promise<OutboxJob | null> {
  const { queue } = deps.outbox;
  const policy = deps.policies[job.kind];
  const ledger = await readLedgerOf(deps, job);
  // Any other decision is carried out before the next pass.
  const decision = decideJob(job, ledger);
  if (decision.kind !== 'send') return null;
  const at = { job, document: decision.document, ledger, signal };
  switch (job.stage) {
    case 'queued':
    case 'uploading':
      return upload(deps, at);
    case 'uploaded': {
      if (!(await policy.settle(at))) return null;
      const stage = policy.transcribe === undefined ? 'done' : 'transcribing';
      return queue.move(job, { stage, attempts: 0, nextAttemptAtMs: 0 });
    }
    case 'transcribing':
      if (phase === 'files') return null;
      if ((await policy.transcribe?.(at)) === false) return null;
      return queue.move(job, { ...untried, stage: 'done' });
    case 'done':
      await policy.complete(at);
      return null;
    default:
      return null;
  }
}

async function settleFailure(
  deps: OutboxRunContext,
  job: OutboxJob,
  error: unknown,
): Promise<void> {
  const { queue } = deps.outbox;
  const { kind, code } = await failureOf(error, deps);
  if (kind === 'pass-over') throw new PassOverError();
  const attempts = job.attempts + 1;
  if (kind === 'refused') {
    await queue.move(job, { stage: 'failed', attempts, code });
    deps.log('file-parked', { kind: job.kind, code });
    return;
  }
  const nextAttemptAtMs = deps.clock.now() + backoffDelayMs(attempts, deps.random);
  await queue.move(job, { attempts, nextAttemptAtMs, code });
  deps.log('file-postponed', { kind: job.kind, code });
}

async function runJob(run: JobRun, first: OutboxJob): Promise<void> {
  let job = first;
  try {
    for (let next: OutboxJob | null = first; next !== null; next = await step(run, job)) {
      job = next;
      run.signal.throwIfAborted();
    }
  } catch (error) {
    run.signal.throwIfAborted();
    // The stored stage is ahead of `job` if the failure came after a move.
    const stored = await run.deps.outbox.queue.get(job.id);
    if (stored?.token === job.token) await settleFailure(run.deps, stored, error);
  }
}

/** Lets all entries that wait for a transcript say that the server makes none. The code marks those that do. */
async function tellUnheard(deps: OutboxRunContext, signal: AbortSignal): Promise<void> {
  const { queue } = deps.outbox;
  for (const job of await queue.list()) {
    signal.throwIfAborted();
    if (job.stage !== 'transcribing' || job.code === noEngineCode || isOfDeleted(job)) continue;
    await deps.policies[job.kind].unheard?.(job);
    await queue.move(job, { code: noEngineCode });
  }
}

/**
 * Makes one pass over the jobs, oldest first. See O1 to O5 in replication/SPEC.md.
 *
 * - The result of a stage is stored before the next stage begins, so an interrupted pass is resumed.
 * - A job that cannot continue is skipped and blocks no other job.
 * - Transcripts are requested after all files have had their turn, since transcription takes longer than an upload. An
 *   answer that concerns the server ends them for this pass, and pauses them.
 *
 * Rejects only with the signal's reason, once it is aborted.
 * @returns epoch milliseconds of the next scheduled attempt; null if there is none.
 */
export async function runOutbox(
  deps: OutboxRunContext,
  options: PassOptions,
): Promise<number | null> {
  const { signal, isUrgent } = options;
  const { transcripts } = deps;
  const { queue } = deps.outbox;
  const startedMs = deps.clock.now();
  if (isUrgent) transcripts.resume();
  const runPhase = async (phase: Phase): Promise<void> => {
    for (const job of inTurn(await queue.list(), phase)) {
      if (!deps.online.isOnline()) return;
      if (phase === 'transcripts' && transcripts.pausedUntilMs() > startedMs) return;
      // A pass follows each sync, so it reads no ledger for files that are parked or not kept yet.
      if (isAtRest(job)) continue;
      const isDue = isUrgent || isOver(job.nextAttemptAtMs, startedMs);
      if (isDue) await runJob({ phase, deps, signal }, job);
    }
  };
  try {
    await runPhase('files');
    await runPhase('transcripts');
    if (transcripts.hasNoEngine()) await tellUnheard(deps, signal);
    if (!deps.online.isOnline()) return null;
    return nextTime(await queue.list(), startedMs, transcripts.pausedUntilMs());
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PassOverError)) {
      deps.log('outbox-defect', { error: error instanceof Error ? error.name : typeof error });
    }
    return null;
  }
}

/**
 * Returns the earliest attempt after the start of the pass. A job that was due and is still there waits for an event,
 * not for time. @param pausedUntilMs the end of the pause of all transcripts.
 */
function nextTime(
  jobs: readonly OutboxJob[],
  startedMs: number,
  pausedUntilMs: number,
): number | null {
  const times = jobs
    .filter((job) => !isAtRest(job))
    .map((job) => Math.max(job.nextAttemptAtMs, isOfPhase(job, 'transcripts') ? pausedUntilMs : 0));
  return earliest(times.filter((time) => time > startedMs));
}
