import { describe, expect, it } from 'vitest';
import { deploy, type DeployPorts } from './deploy.ts';

const env = { VITE_FIREBASE_PROJECT_ID: 'my-dogs' };

/** A deployment whose steps all succeed, except these; it records the steps in order. */
function createWorld(changes: Partial<DeployPorts> = {}) {
  const done: string[] = [];
  const note = <Result>(name: string, result: Result): Result => {
    done.push(name);
    return result;
  };
  const own: DeployPorts = {
    build: () => 0,
    check: async () => [],
    plan: async ({ project, origin }) => [`${project} at ${origin}`],
    ask: async () => 'y',
    npx: () => 0,
    smoke: async () => 0,
    say: () => undefined,
    ...changes,
  };
  const ports: DeployPorts = {
    build: () => note('build', own.build()),
    check: (isBuilt) => note(isBuilt ? 'check builds' : 'check settings', own.check(isBuilt)),
    plan: (target) => note('plan', own.plan(target)),
    ask: own.ask && ((question) => note('ask', own.ask?.(question) ?? Promise.resolve(''))),
    npx: (args) => note(`npx ${args.slice(2).join(' ')}`, own.npx(args)),
    smoke: (origin) => note(`smoke ${origin}`, own.smoke(origin)),
    say: (line) => done.push(`> ${line}`),
  };
  return {
    done,
    run: (...args: readonly string[]) => deploy({ root: import.meta.dirname, args, env }, ports),
  };
}

const command =
  'npx deploy --project my-dogs --only firestore,storage,functions,hosting --force --interactive';

describe('npm run deploy', () => {
  it('checks, builds, shows, asks, deploys, and looks whether it works', async () => {
    const { run, done } = createWorld();
    expect(await run()).toBe(0);
    expect(done).toEqual([
      'check settings',
      'build',
      'check builds',
      'plan',
      '> my-dogs at https://my-dogs.web.app',
      'ask',
      command,
      'smoke https://my-dogs.web.app',
    ]);
  });

  it('asks nothing with --yes, and looks at the address that it is given', async () => {
    const { run, done } = createWorld({ ask: null });
    expect(await run('--yes', '--address', 'https://dogs.example/')).toBe(0);
    expect(done.slice(-3)).toEqual([
      '> my-dogs at https://dogs.example',
      command,
      'smoke https://dogs.example',
    ]);
  });

  it.each<readonly [string, Partial<DeployPorts>, readonly string[]]>([
    ['settings are missing', { check: async () => ['No key.'] }, ['check settings', '> No key.']],
    ['a build fails', { build: () => 1 }, ['check settings', 'build']],
    [
      'a build is not whole',
      { check: async (isBuilt) => (isBuilt ? ['No worker.'] : []) },
      ['build', 'check builds', '> No worker.'],
    ],
    ['somebody says no', { ask: async () => '' }, ['ask', '> Nothing was deployed.']],
    [
      'nobody can be asked',
      { ask: null },
      ['> There is no terminal to ask; add --yes.', '> Nothing was deployed.'],
    ],
  ])('deploys nothing when %s', async (_, changes, last) => {
    const { run, done } = createWorld(changes);
    expect(await run()).toBe(1);
    expect(done.slice(-last.length)).toEqual(last);
    expect(done).not.toContain(command);
  });

  it('does not look at what the command line has not deployed', async () => {
    const { run, done } = createWorld({ npx: () => 1 });
    expect(await run('--yes')).toBe(1);
    expect(done.at(-1)).toContain('The Firebase command line has failed');
  });

  it('fails when what was deployed does not work', async () => {
    const { run, done } = createWorld({ smoke: async () => 1 });
    expect(await run('--yes')).toBe(1);
    expect(done.at(-1)).toBe('> It was deployed, and does not work as it should.');
  });

  it.each(['--force', '--address=dogs', '--address=http://dogs.example'])(
    'shows how it is used when it is given %s',
    async (arg) => {
      const { run, done } = createWorld();
      expect(await run(arg)).toBe(2);
      expect(done).toEqual([expect.stringContaining('> Usage: npm run deploy')]);
    },
  );
});
