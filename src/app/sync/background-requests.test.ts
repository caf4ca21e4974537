import { describe, expect, it } from 'vitest';
import { entryDeletedCode, type OutboxJob } from '../../../schemas/local/outbox-job.ts';
import { noEngineCode } from '../../../schemas/transcription.ts';
import { voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import { createBackgroundRequests } from './background-requests.ts';

function setUp() {
  let counts = { waitingCount: 0, hiddenCount: 0 };
  let jobs: readonly OutboxJob[] = [];
  let requests = 0;
  let handOvers = 0;
  const watchers = new Set<() => void>();
  const leaveWatchers = new Set<() => void>();
  const subscribe = (onChange: () => void) => {
    watchers.add(onChange);
    return () => watchers.delete(onChange);
  };
  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };
  const background = createBackgroundRequests({
    overview: { getSnapshot: () => counts, subscribe },
    jobs: { getSnapshot: () => jobs, subscribe },
    request: async () => {
      requests += 1;
    },
    handOver: () => {
      handOvers += 1;
    },
    watchLeaving: (onLeave) => {
      leaveWatchers.add(onLeave);
      return () => leaveWatchers.delete(onLeave);
    },
  });
  return {
    background,
    requests: () => requests,
    handOvers: () => handOvers,
    watched: () => watchers.size + leaveWatchers.size,
    wait: (waitingCount: number, hiddenCount = 0) => {
      counts = { waitingCount, hiddenCount };
      tell();
    },
    setJob: (job: OutboxJob) => {
      jobs = [job];
      tell();
    },
    write: background.onWritten,
    leave: () => {
      for (const watcher of leaveWatchers) watcher();
    },
    show: (phase: 'idle' | 'syncing' | 'offline' | 'problem') =>
      background.follow({ phase, problem: null }),
  };
}

describe('asking the worker', () => {
  it('leaves a page that syncs alone', () => {
    const page = setUp();
    page.show('syncing');
    page.wait(2);
    page.show('idle');
    page.wait(0);
    page.leave();
    expect([page.requests(), page.handOvers()]).toEqual([0, 0]);
  });

  it('asks when a page is left that has not sent everything', () => {
    const page = setUp();
    page.wait(1);
    page.leave();
    expect([page.requests(), page.handOvers()]).toEqual([1, 1]);
  });

  it('asks when a page is left with a deletion that nothing shows', () => {
    const page = setUp();
    page.wait(0, 1);
    page.leave();
    expect([page.requests(), page.handOvers()]).toEqual([1, 1]);
  });

  it('asks for a transcript that is all that waits, at once without a connection', () => {
    const page = setUp();
    const job = voiceJob('e1', { stage: 'transcribing', attempts: 2, code: 'http-503' });
    page.setJob(job);
    page.leave();
    expect([page.requests(), page.handOvers()]).toEqual([1, 1]);
    page.setJob({ ...job, stage: 'recorded' });
    page.show('offline');
    expect(page.requests()).toBe(1);
    page.setJob(job);
    expect(page.requests()).toBe(2);
  });

  it.each([
    ['the server has no engine', { code: noEngineCode }],
    ['its entry was deleted', { code: entryDeletedCode }],
  ])('asks for no transcript if %s', (_, part) => {
    const page = setUp();
    page.setJob(voiceJob('e1', { stage: 'transcribing', ...part }));
    page.leave();
    expect([page.requests(), page.handOvers()]).toEqual([0, 0]);
  });

  it('hands over a write that is in flight before it is counted', () => {
    const page = setUp();
    page.show('syncing');
    page.leave();
    expect(page.handOvers()).toBe(1);
  });

  it('hands over a write of its own that is neither counted nor being sent yet', () => {
    const page = setUp();
    page.write();
    page.leave();
    expect([page.requests(), page.handOvers()]).toEqual([1, 1]);
    page.show('syncing');
    page.show('idle');
    page.leave();
    expect([page.requests(), page.handOvers()]).toEqual([1, 1]);
  });

  it.each(['offline', 'problem'] as const)(
    'asks for what waits at “%s”, and what comes',
    (phase) => {
      const page = setUp();
      page.wait(1);
      page.show(phase);
      expect(page.requests()).toBe(1);
      page.show(phase);
      page.wait(1);
      expect(page.requests()).toBe(1);
      page.wait(2);
      expect(page.requests()).toBe(2);
      page.wait(0);
      page.wait(1);
      expect(page.requests()).toBe(3);
    },
  );

  it('asks for nothing if nothing waits', () => {
    const page = setUp();
    page.show('offline');
    page.leave();
    expect(page.requests()).toBe(0);
  });

  it('ends with the session', () => {
    const page = setUp();
    page.background.close();
    expect(page.watched()).toBe(0);
  });
});
