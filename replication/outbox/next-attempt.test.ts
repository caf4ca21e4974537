import { describe, expect, it, vi } from 'vitest';
import type { OutboxJob } from '../../schemas/local/outbox-job.ts';
import { pictureJob } from '../../tests/support/fixtures/file-records.ts';
import { clean, newPet } from '../../tests/support/fixtures/sync-documents.ts';
import { setUpLedger } from '../../tests/support/setups/ledger-setup.ts';
import { createOutboxRig, lostWith } from '../../tests/support/setups/outbox-setup.ts';
import { bytesOf, onlyJob, pictureOf, putJob } from '../../tests/support/setups/test-outbox.ts';
import { recordAndWrite } from '../../tests/support/fixtures/outbox-recordings.ts';
import { backoffCapMs } from '../connectivity/backoff.ts';
import { returnPauseMs } from '../documents/wake-up.ts';
import type { JobPolicy } from './job-policy.ts';
import { runOutbox } from './outbox-run.ts';

const nowMs = 1_000;

/** Makes a pass at {@link nowMs} over jobs of pets, which the server does not have unless they are `ready`. */
async function passOver(jobs: readonly OutboxJob[], { isUrgent = false, isOnline = true } = {}) {
  const { store, deps } = setUpLedger();
  store.put(newPet('new'));
  store.put(clean(newPet('ready'), 1));
  for (const job of jobs) await putJob(store, job, bytesOf('x'));
  const prepare = vi.fn<JobPolicy['prepare']>(async (_, md5) => md5);
  const policy = { prepare, settle: async () => false, complete: async () => undefined };
  const run = {
    ...deps,
    policies: { 'profile-picture': policy, 'voice-note': policy },
    transcripts: {
      pausedUntilMs: () => 0,
      resume: () => undefined,
      hasNoEngine: () => false,
    },
    online: { isOnline: () => isOnline },
    random: () => 0,
  };
  const { signal } = new AbortController();
  const nextMs = await runOutbox(run, { isUrgent, signal });
  return { nextMs, prepared: prepare.mock.calls.length };
}

describe('the next attempt', () => {
  const waiting = (id: string, nextAttemptAtMs: number, stage: OutboxJob['stage'] = 'queued') =>
    pictureJob('new', { id: `profile-picture:${id}`, stage, nextAttemptAtMs });

  it.each<[string, readonly OutboxJob[], number | null]>([
    ['none without a job', [], null],
    ['none for jobs that wait for an event', [waiting('a', 0), waiting('b', nowMs)], null],
    ['that of the job with the shortest pause', [waiting('a', 9_000), waiting('b', 5_000)], 5_000],
    ['none for jobs at rest', [waiting('a', 5, 'failed'), waiting('b', 9_000, 'recorded')], null],
    ['not that of a parked job', [waiting('a', 5_000, 'failed'), waiting('b', 9_000)], 9_000],
  ])('O3.1 is %s', async (_, jobs, nextMs) => {
    expect((await passOver(jobs)).nextMs).toBe(nextMs);
  });

  it('O3.2 is none while there is no connection', async () => {
    expect((await passOver([waiting('a', 5_000)], { isOnline: false })).nextMs).toBeNull();
  });
});

describe('a job with a pause', () => {
  it.each([
    [nowMs, true],
    [nowMs + 1, false],
    [nowMs + backoffCapMs, false],
    [nowMs + backoffCapMs + 1, true],
  ])('O3.1 until %s is tried if that is over, or longer than any pause: %s', async (...row) => {
    const [nextAttemptAtMs, isTried] = row;
    const job = pictureJob('ready', { nextAttemptAtMs });
    expect((await passOver([job])).prepared).toBe(isTried ? 1 : 0);
    expect((await passOver([job], { isUrgent: true })).prepared).toBe(1);
  });
});

it('O2.1 a picture is done once its dog names it; a recording is transcribed before', async () => {
  const stages: unknown[] = [];
  const rig = createOutboxRig({
    wrapQueue: (queue) => ({
      ...queue,
      move: (job, changes, ...also) => {
        stages.push([job.kind, changes.stage]);
        return queue.move(job, changes, ...also);
      },
    }),
  });
  await rig.outbox.addPicture(pictureOf('p1'));
  await recordAndWrite(rig);
  await rig.pass();
  const of = (kind: OutboxJob['kind'], names: readonly string[]) =>
    names.map((stage) => [kind, stage]);
  const picture = of('profile-picture', ['uploading', 'uploaded', 'done']);
  const recording = of('voice-note', ['uploading', 'uploaded', 'transcribing', 'done']);
  const begun = of('voice-note', ['queued']);
  expect(new Set(stages)).toEqual(new Set([...begun, ...picture, ...recording]));
});

describe('the worker of the outbox', () => {
  it('O5.1 makes no pass for what does not follow a sync of documents', async () => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture(pictureOf('p1'));
    const stop = new AbortController();
    const working = rig.worker.work(stop.signal);
    for (const reason of ['manual', 'online', 'local-write'] as const) rig.worker.poke(reason);
    await rig.clock.advance(1_000);
    expect(rig.server.uploads).toEqual([]);
    stop.abort();
    await working;
  });

  it('O5.1 sets no timer beyond the longest pause, after a clock was set back', async () => {
    const rig = createOutboxRig();
    rig.store.put(newPet('new'));
    const nextAttemptAtMs = rig.clock.now() + 30 * 24 * 60 * 60_000;
    await putJob(rig.store, pictureJob('new', { nextAttemptAtMs }), bytesOf('x'));
    const after = vi.spyOn(rig.clock, 'after');
    const stop = new AbortController();
    const working = rig.worker.work(stop.signal);
    rig.worker.poke('documents');
    await expect.poll(() => after.mock.calls.map(([delayMs]) => delayMs)).toEqual([backoffCapMs]);
    stop.abort();
    await working;
  });

  it('O3.1 ends a pause at a return to the page, a moment after the pass before', async () => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture(pictureOf('p1'));
    rig.server.refuse(() => lostWith('unavailable'));
    await rig.pass();
    const job = await onlyJob(rig.outbox);
    await rig.outbox.queue.move(job, { nextAttemptAtMs: rig.clock.now() + backoffCapMs });
    const stop = new AbortController();
    const working = rig.worker.work(stop.signal);
    const comeBack = async () => {
      rig.worker.poke('focus');
      rig.worker.poke('documents');
      await rig.clock.advance(0);
    };
    const uploads = () => rig.server.uploads.length;
    for (let count = 0; count < 9; count += 1) await comeBack();
    expect(uploads()).toBe(1);
    await rig.clock.advance(returnPauseMs - 1);
    expect(uploads()).toBe(1);
    await rig.clock.advance(1);
    expect(uploads()).toBe(2);
    await comeBack();
    expect(uploads()).toBe(2);
    stop.abort();
    await working;
  });

  it('O5.1 sets no timer while nothing waits for a time', async () => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture(pictureOf('p1'));
    const after = vi.spyOn(rig.clock, 'after');
    const stop = new AbortController();
    const working = rig.worker.work(stop.signal);
    for (const reason of ['focus', 'documents'] as const) rig.worker.poke(reason);
    await expect.poll(async () => (await onlyJob(rig.outbox)).stage).toBe('done');
    await rig.clock.settle();
    expect(after).not.toHaveBeenCalled();
    stop.abort();
    await working;
  });
});
