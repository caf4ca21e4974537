import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneProcess } from './lane-process.ts';
import { applyMutant, type Mutant } from './place-mutants.ts';
import type { ProjectCopy } from './project-copy.ts';
import type { Verdict } from './report.ts';
import type { TestPlan } from './test-plan.ts';

export interface Lane {
  readonly copy: ProjectCopy;
  readonly process: LaneProcess;
}

interface Tests {
  readonly plan: TestPlan;
  /** How long each test file takes without a mutant. */
  readonly durationsMs: Readonly<Record<string, number>>;
}

/** A test that waits for something that never comes waits for up to 20 s before it fails by itself. */
const spareMs = 40_000;

const slownessOfBusyMachine = 3;

/**
 * Tries one mutant in the copy of a lane, and puts the original back.
 *
 * - The wide tests run only if the near ones let it live.
 * - Tests that do not end in time have caught it: a mutant can turn a loop into an endless one.
 */
export async function tryMutant(lane: Lane, mutant: Mutant, tests: Tests): Promise<Verdict> {
  const path = join(lane.copy.root, mutant.file);
  const original = readFileSync(path, 'utf8');
  writeFileSync(path, applyMutant(original, mutant));
  try {
    for (const files of [tests.plan.near, tests.plan.wide]) {
      if (files.length === 0) continue;
      const expectedMs = files.reduce((sum, file) => sum + (tests.durationsMs[file] ?? 0), 0);
      const limitMs = spareMs + slownessOfBusyMachine * expectedMs;
      const answer = await lane.process.run({ changed: [mutant.file], tests: files }, limitMs);
      if (answer === null) return { mutant, outcome: 'timed out', by: '' };
      if (answer.failure !== null) return { mutant, outcome: 'caught', by: answer.failure };
    }
    return { mutant, outcome: 'survived', by: '' };
  } finally {
    writeFileSync(path, original);
    await lane.process.run({ changed: [mutant.file], tests: [] }, spareMs);
  }
}
