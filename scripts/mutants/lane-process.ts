import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TestReach } from './test-reaches.ts';
import type { LaneAnswer, LaneQuestion } from './lane.ts';

const lanePath = fileURLToPath(new URL('lane.ts', import.meta.url));

/** A process with a warm Vitest on a copy of the project. */
export interface LaneProcess {
  readonly reaches: () => Promise<TestReach[]>;
  /** Runs tests up to the first failure. Returns null if they take longer than the limit. */
  readonly run: (question: LaneQuestion, limitMs: number) => Promise<LaneAnswer | null>;
  readonly close: () => Promise<void>;
}

/** The process leads a group of its own, which ends with it: a worker in an endless loop answers nobody. */
const end = (child: ChildProcess): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-child.pid, 'SIGKILL');
};

async function startChild(root: string, projects: readonly string[]): Promise<ChildProcess> {
  const child = fork(lanePath, [root, ...projects], {
    cwd: root,
    detached: true,
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  process.on('exit', () => end(child));
  await once(child, 'message');
  return child;
}

async function failureOf(child: ChildProcess, signal: AbortSignal): Promise<never> {
  await once(child, 'exit', { signal });
  throw new Error('The process of a lane has ended.');
}

/** Returns a lane that starts a new process after one that exceeded its limit. */
export function createLaneProcess(root: string, projects: readonly string[]): LaneProcess {
  let started: Promise<ChildProcess> | null = null;
  const ask = async (question: LaneQuestion | 'reaches', limitMs: number): Promise<unknown> => {
    started ??= startChild(root, projects);
    const child = await started;
    const settled = new AbortController();
    const { signal } = settled;
    const answers: Promise<unknown[]> = once(child, 'message', { signal });
    child.send(question);
    try {
      const late = setTimeout(limitMs, [null], { signal });
      const [answer] = await Promise.race([answers, late, failureOf(child, signal)]);
      if (answer !== null) return answer;
      started = null;
      end(child);
      return null;
    } finally {
      settled.abort();
    }
  };
  return {
    // The process answers each question with the type that belongs to it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the lane's own type
    reaches: async () => (await ask('reaches', 600_000)) as TestReach[],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the lane's own type
    run: async (question, limitMs) => (await ask(question, limitMs)) as LaneAnswer | null,
    close: async () => {
      const child = await started;
      if (!child) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
