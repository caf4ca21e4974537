import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLaneProcess } from './lane-process.ts';
import { measureTests } from './measure-tests.ts';
import { placeMutants, type Mutant } from './place-mutants.ts';
import { copyProject } from './project-copy.ts';
import { randomSample } from './random-sample.ts';
import { folderLines, isEnough, changedLines, type Verdict } from './report.ts';
import { testPlan } from './test-plan.ts';
import { tryMutant, type Lane } from './try-mutant.ts';

type Say = (line: string) => void;

interface Choice {
  readonly count: number;
  readonly seed: number;
  readonly folders: readonly string[];
  /** The tests of these projects may catch a mutant. */
  readonly projects: readonly string[];
  /** Of several parts of one sample, the one to try. */
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
    folders: values.folder.split(','),
    projects: values.near ? ['core'] : ['core', 'app', 'alone', 'system'],
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

async function judge(root: string, choice: Choice, say: Say): Promise<Verdict[]> {
  const { count, seed, folders, projects, part } = choice;
  const all = allMutants(root, folders);
  const sample = randomSample(all, count, seed).filter((_, i) => i % part.of === part.index - 1);
  say(`${sample.length} of ${all.length} mutants, seed ${seed}, part ${part.index} of ${part.of}.`);
  const lanes = await Promise.all([openLane(root, projects), openLane(root, projects)]);
  try {
    const reaches = await lanes[0].process.reaches();
    const plans = new Map(sample.map(({ file }) => [file, testPlan(file, reaches)]));
    const durationsMs = await measureTests([...plans.values()], lanes);
    const waiting = [...sample];
    const verdicts: Verdict[] = [];
    const work = async (lane: Lane): Promise<void> => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const plan = plans.get(mutant.file) ?? { near: [], wide: [] };
        const startedMs = performance.now();
        const verdict = await tryMutant(lane, mutant, { plan, durationsMs });
        verdicts.push(verdict);
        const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
        const { file, line } = mutant;
        say(`${verdicts.length}. ${verdict.outcome} ${file}:${line} ${seconds} s ${verdict.by}`);
        if (verdict.outcome === 'survived')
          say(changedLines(mutant, readFileSync(join(root, file), 'utf8')));
      }
    };
    await Promise.all(lanes.map(work));
    return verdicts;
  } finally {
    await Promise.all(lanes.map((lane) => lane.process.close()));
  }
}

/** Puts mutants into copies of the project and runs the tests. Returns the exit code. */
export async function runMutants(root: string, args: readonly string[], say: Say): Promise<number> {
  const choice = readChoice(args);
  const verdicts = await judge(root, choice, say);
  for (const line of folderLines(choice.folders, verdicts)) say(line);
  return isEnough(choice.folders, verdicts) ? 0 : 1;
}
