import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneProcess } from './lane-process.ts';
import type { LaneAnswer } from './lane.ts';
import { applyMutant, type Mutant } from './place-mutants.ts';
import type { Verdict } from './report.ts';

export interface Lane {
  /** The lane's own copy of the project: mutants live only there. */
  readonly root: string;
  readonly process: LaneProcess;
}

export interface Trial {
  /** In the order in which they run, up to the first failure. */
  readonly tests: readonly string[];
  /** How long each test file takes without a mutant. */
  readonly durationsMs: Readonly<Record<string, number>>;
}

interface Texts {
  readonly original: string;
  readonly mutated: string;
}

/** A test that waits for something that never comes waits for up to 20 s before it fails by itself. */
const spareMs = 40_000;

const slownessOfBusyMachine = 3;

/** Runs the tests, and runs them again for as long as they do not even end in time without the mutant. */
async function answerInTime(
  lane: Lane,
  mutant: Mutant,
  question: { readonly tests: readonly string[]; readonly texts: Texts; readonly limitMs: number },
): Promise<LaneAnswer | null> {
  const { file } = mutant;
  const { tests, texts, limitMs } = question;
  const answer = (text: string): Promise<LaneAnswer | null> => {
    writeFileSync(join(lane.root, file), text);
    return lane.process.run({ changed: [file], tests }, limitMs);
  };
  const withMutant = await answer(texts.mutated);
  if (withMutant !== null || (await answer(texts.original)) !== null) return withMutant;
  return answerInTime(lane, mutant, { ...question, limitMs: 2 * limitMs });
}

/**
 * Tries one mutant in the copy of a lane, and puts the original back. Tests that end in time without the mutant, and not
 * with it, have caught it: it can make a loop endless.
 */
export async function tryMutant(
  lane: Lane,
  mutant: Mutant,
  { tests, durationsMs }: Trial,
): Promise<Verdict> {
  if (tests.length === 0) return { mutant, outcome: 'survived', by: '' };
  const path = join(lane.root, mutant.file);
  const original = readFileSync(path, 'utf8');
  const texts = { original, mutated: applyMutant(original, mutant) };
  const expectedMs = tests.reduce((sum, file) => sum + (durationsMs[file] ?? 0), 0);
  const limitMs = spareMs + slownessOfBusyMachine * expectedMs;
  try {
    const answer = await answerInTime(lane, mutant, { tests, texts, limitMs });
    if (answer === null) return { mutant, outcome: 'timed out', by: '' };
    if (answer.failure === null) return { mutant, outcome: 'survived', by: '' };
    return { mutant, outcome: 'caught', by: answer.failure };
  } finally {
    writeFileSync(path, original);
    await lane.process.run({ changed: [mutant.file], tests: [] }, spareMs);
  }
}
