import { join, relative } from 'node:path';
import {
  createVitest,
  type TestCase,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from 'vitest/node';
import { testReaches } from './test-reaches.ts';

/** The question that a lane's process gets, and its answer. */
export interface LaneQuestion {
  /** Source files that have changed since the last question, from the project's folder. */
  readonly changed: readonly string[];
  /** Test files, from the project's folder, in the order in which they run up to the first failure. */
  readonly tests: readonly string[];
}

export interface LaneAnswer {
  /** The first test that failed, or null. */
  readonly failure: string | null;
  readonly durationsMs: Readonly<Record<string, number>>;
}

class AsGiven {
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
  sort(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}

/** The state of the question at hand. Vitest's own answer has the test files of earlier questions as well. */
const run = { ended: new Array<TestModule>(), failed: new Array<TestCase>(), isCutShort: false };

/** A worker is new for each question; the transformed modules stay warm. */
const start = (root: string, projects: string[]): Promise<Vitest> =>
  createVitest('test', {
    root,
    watch: false,
    project: projects,
    bail: 1,
    maxWorkers: 1,
    pool: 'forks',
    reporters: [
      {
        onTestModuleEnd: (module) => void run.ended.push(module),
        onTestCaseResult: (test) => {
          if (test.result().state === 'failed') run.failed.push(test);
        },
        onTestRunEnd: (_modules, _errors, reason) => {
          run.isCutShort = reason === 'interrupted';
        },
      },
    ],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    sequence: { sequencer: AsGiven },
  });

/** A failure cuts the run short, and Vitest may stop the worker before that has reported which test it was. */
function firstFailure(root: string, unhandledErrors: readonly unknown[]): string | null {
  const [test] = run.failed;
  if (test) return `${relative(root, test.module.moduleId)} › ${test.fullName}`;
  const file = run.ended.find((module) => module.state() === 'failed');
  if (file) return relative(root, file.moduleId);
  return run.isCutShort || unhandledErrors.length > 0 ? 'a test that was not reported' : null;
}

async function ask(vitest: Vitest, root: string, question: LaneQuestion): Promise<LaneAnswer> {
  for (const file of question.changed) vitest.invalidateFile(join(root, file));
  const all = await vitest.globTestSpecifications();
  const specifications = question.tests.flatMap((test) =>
    all.filter(({ moduleId }) => moduleId === join(root, test)),
  );
  Object.assign(run, { ended: [], failed: [], isCutShort: false });
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  return {
    failure: firstFailure(root, unhandledErrors),
    durationsMs: Object.fromEntries(
      run.ended.map((module) => [
        relative(root, module.moduleId),
        module.diagnostic().duration + module.diagnostic().collectDuration,
      ]),
    ),
  };
}

/** Serves one question at a time to the process that forked this one. */
const [root = '', ...projects] = process.argv.slice(2);
const vitest = await start(root, projects);
process.on('message', (question: LaneQuestion | 'reaches') => {
  const answer = question === 'reaches' ? testReaches(vitest, root) : ask(vitest, root, question);
  void answer.then(
    (value) => process.send?.(value),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => void vitest.close().finally(() => process.exit(0)));
process.send?.('ready');
