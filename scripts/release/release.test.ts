import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isLater, release } from './release.ts';

/** A repository with one commit, and the commands that a release ran in it. Npm and npx only leave a mark. */
async function setUp(options: { failing?: string } = {}) {
  const root = await mkdtemp(join(tmpdir(), 'pawpals-release-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const said: string[] = [];
  const ran: string[] = [];
  const git = (...args: readonly string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=Robin', '-c', 'user.email=robin@example.com', '-C', root, ...args],
      { encoding: 'utf8' },
    ).trim();
  await writeFile(join(root, 'package.json'), '{"version":"0.9.0"}');
  await writeFile(join(root, 'CHANGELOG.md'), '# Changes\n\n## 1.0.0\n\n- Notes\n');
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  const run = (
    command: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => {
    const line = [...Object.entries(env ?? {}).map((pair) => pair.join('=')), command, ...args];
    ran.push(line.join(' '));
    if (args[0] === options.failing) return 1;
    if (command === 'git') git(...args);
    if (args[0] === 'version') {
      execFileSync('sh', ['-c', `echo '{"version":"${args[1]}"}' > package.json`], { cwd: root });
    }
    return 0;
  };
  const ports = { run, git, say: (line: string) => said.push(line) };
  return { root, git, said, ran, start: (...args: string[]) => release({ root, args }, ports) };
}

describe('a release', () => {
  it('tests, sets the version, freezes, commits and tags', async () => {
    const { root, git, ran, start } = await setUp();
    expect(await start('1.0.0')).toBe(0);
    expect(ran).toEqual([
      'npm test',
      'npm version 1.0.0 --no-git-tag-version',
      'PAWPALS_FREEZE=1.0.0 npx vitest run --project system tests/integration/stored-data.test.ts',
      'git add --all',
      'git commit --quiet --message chore: release 1.0.0',
      'git tag --annotate v1.0.0 --message 1.0.0',
    ]);
    expect(git('describe', '--exact-match')).toBe('v1.0.0');
    expect(git('log', '--format=%s')).toBe('chore: release 1.0.0\nfirst');
    expect(git('status', '--porcelain')).toBe('');
    expect(await readFile(join(root, 'package.json'), 'utf8')).toContain('1.0.0');
  });

  it('refuses a tree with changes, and runs nothing', async () => {
    const { root, said, ran, start } = await setUp();
    await writeFile(join(root, 'note.txt'), 'not committed');
    expect(await start('1.0.0')).toBe(1);
    expect(said).toEqual(['There are changes that are not committed.']);
    expect(ran).toEqual([]);
  });

  it('refuses a version that is not later, is not in the change log, or has a tag', async () => {
    const { git, said, ran, start } = await setUp();
    git('tag', 'v0.8.0');
    expect(await start('0.8.0')).toBe(1);
    expect(said).toEqual([
      '0.8.0 is not later than 0.9.0.',
      'CHANGELOG.md has no section "## 0.8.0".',
      'There is a tag v0.8.0.',
    ]);
    expect(ran).toEqual([]);
  });

  it.each(['test', 'version', 'vitest', 'commit'])(
    'is not committed when %s fails',
    async (failing) => {
      const { git, said, start } = await setUp({ failing });
      expect(await start('1.0.0')).toBe(1);
      expect(said).toEqual(['1.0.0 is not released.']);
      expect(git('log', '--format=%s')).toBe('first');
      expect(git('tag')).toBe('');
    },
  );

  it('says how to add a tag that failed', async () => {
    const { git, said, start } = await setUp({ failing: 'tag' });
    expect(await start('1.0.0')).toBe(1);
    const adds = 'git tag --annotate v1.0.0 --message 1.0.0 adds it.';
    expect(said).toEqual([`1.0.0 is committed and has no tag: ${adds}`]);
    expect(git('log', '--format=%s')).toBe('chore: release 1.0.0\nfirst');
    expect(git('tag')).toBe('');
  });

  it.each([[], ['1.0'], ['v1.0.0'], ['1.0.0', '1.0.1']])(
    'asks for one version: %j',
    async (...args) => {
      const { said, ran, start } = await setUp();
      expect(await start(...args)).toBe(2);
      expect(said.join()).toContain('Usage');
      expect(ran).toEqual([]);
    },
  );
});

it.each([
  ['1.0.0', '0.9.9', true],
  ['0.10.0', '0.9.0', true],
  ['1.0.1', '1.0.0', true],
  ['1.0.0', '1.0.0', false],
  ['0.9.9', '1.0.0', false],
  ['1.0.0', '1.0.0-rc.1', false],
])('%s is later than %s: %s', (version, than, expected) => {
  expect(isLater(version, than)).toBe(expected);
});
