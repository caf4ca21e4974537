import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseArgs } from 'node:util';
import { createLaneProcess } from './lane-process.ts';
import { measureTests } from './measure-tests.ts';
import { placeMutants, type Mutant } from './place-mutants.ts';
import { copyProject } from './project-copy.ts';
import { randomSample } from './random-sample.ts';
import { changedLines, folderLines, isEnough, isInside, type Verdict } from './report.ts';
import { testPlan } from './test-plan.ts';
import { tryMutant, type Lane } from './try-mutant.ts';

type Say = (line: string) => void;

interface Choice {
  readonly count: number;
  readonly seed: number;
  readonly folders: readonly string[];
  /** The tests of these projects may catch a mutant. */
  readonly projects: readonly string[];
  /** The part of the sample that this run tries; several runs can share one sample. */
  readonly part: { readonly index: number; readonly of: number };
}

function readChoice(args: readonly string[]): Choice {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(Date.now() % 100_000) },
      folder: { type: 'string', default: 'replication,store,src/data' },
      part: { type: 'string', default: '1/1' },
      near: { type: 'boolean', default: false },
    },
  });
  const [index = 1, of = 1] = values.part.split('/').map(Number);
  return {
    count: Number(values.count),
    seed: Number(values.seed),
    folders: values.folder.split(',').map((name) => posix.normalize(name).replace(/\/$/, '')),
    projects: values.near ? ['core'] : ['core', 'system'],
    part: { index, of },
  };
}

const isSource = (file: string): boolean => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file);

function allMutants(root: string, folders: readonly string[]): Mutant[] {
  const listed = execFileSync('git', ['ls-files', '-z', ...folders], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed.split('\0').filter(isSource);
  return files.flatMap((file) => placeMutants(file, readFileSync(join(root, file), 'utf8')));
}

async function openLane(root: string, projects: readonly string[]): Promise<Lane> {
  const copy = await copyProject(root);
  return { root: copy, process: createLaneProcess(copy, projects) };
}

type TestsOf = (mutant: Mutant) => readonly string[];

/** Tries each mutant with its own tests, one in each lane at a time. */
async function tryAll(
  lanes: readonly Lane[],
  mutants: readonly Mutant[],
  { testsOf, say }: { readonly testsOf: TestsOf; readonly say: Say },
): Promise<Verdict[]> {
  const durationsMs = await measureTests([...new Set(mutants.flatMap(testsOf))], lanes);
  const waiting = [...mutants];
  const verdicts: Verdict[] = [];
  const work = async (lane: Lane): Promise<void> => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const verdict = await tryMutant(lane, mutant, { tests: testsOf(mutant), durationsMs });
      verdicts.push(verdict);
      const { file, line } = mutant;
      say(`${verdicts.length}. ${verdict.outcome} ${file}:${line} ${verdict.by}`);
    }
  };
  await Promise.all(lanes.map(work));
  return verdicts;
}

const isSurvivor = ({ outcome }: Verdict): boolean => outcome === 'survived';

/** @returns the mutants to try; null if there are none, in all or in one of the folders. */
function sampleOf(root: string, { count, seed, folders, part }: Choice, say: Say): Mutant[] | null {
  const all = allMutants(root, folders);
  const empty = folders.filter((folder) => !all.some((mutant) => isInside(folder, mutant)));
  for (const folder of empty) say(`There is nothing to mutate in ${folder}.`);
  const sample = randomSample(all, count, seed).filter((_, i) => i % part.of === part.index - 1);
  say(`${sample.length} of ${all.length} mutants, seed ${seed}, part ${part.index} of ${part.of}.`);
  return empty.length > 0 || sample.length === 0 ? null : sample;
}

async function trySample(
  sample: readonly Mutant[],
  { root, projects, say }: Pick<Choice, 'projects'> & { readonly root: string; readonly say: Say },
): Promise<Verdict[]> {
  const lanes = await Promise.all([openLane(root, projects), openLane(root, projects)]);
  try {
    const reaches = await lanes[0].process.reaches();
    const planOf = ({ file }: Mutant) => testPlan(file, reaches);
    const verdicts = await tryAll(lanes, sample, { testsOf: (one) => planOf(one).near, say });
    const survivors = verdicts.filter(isSurvivor).map(({ mutant }) => mutant);
    if (projects.length === 1) return verdicts;
    say(`${survivors.length} survived the tests of the project core.`);
    const wide = await tryAll(lanes, survivors, { testsOf: (one) => planOf(one).wide, say });
    return [...verdicts.filter((verdict) => !isSurvivor(verdict)), ...wide];
  } finally {
    await Promise.all(lanes.map((lane) => lane.process.close()));
  }
}

/**
 * Puts mutants into copies of the project and runs the tests.
 * @returns the exit code: 0 if enough were caught, 1 if not, 2 if the arguments leave none to try.
 */
export async function runMutants(root: string, args: readonly string[], say: Say): Promise<number> {
  const choice = readChoice(args);
  const sample = sampleOf(root, choice, say);
  if (sample === null) return 2;
  const verdicts = await trySample(sample, { root, projects: choice.projects, say });
  for (const { mutant } of verdicts.filter(isSurvivor)) {
    say(`survived: ${mutant.file}:${mutant.line}`);
    say(changedLines(mutant, readFileSync(join(root, mutant.file), 'utf8')));
  }
  for (const line of folderLines(choice.folders, verdicts)) say(line);
  return isEnough(choice.folders, verdicts) ? 0 : 1;
}
