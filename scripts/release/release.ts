import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The effects of a release; `scripts/release.mjs` has the real ones. All commands run in the folder of the project. */
export interface ReleasePorts {
  /** Runs a command with its output shown. @returns the exit code. */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): number;
  /** Runs git. @returns its output, trimmed. @throws if git fails. */
  git(...args: readonly string[]): string;
  readonly say: (line: string) => void;
}

export interface ReleaseRequest {
  /** The folder of the project. */
  readonly root: string;
  readonly args: readonly string[];
}

const usage = 'Usage: npm run release -- VERSION, as in npm run release -- 1.2.0';

/** A version in three parts, without a pre-release; null for all else. */
function versionParts(version: string): readonly number[] | null {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number);
  return parts ?? null;
}

/** Whether one version is later than another one. False if one of them has not three parts. */
export function isLater(version: string, than: string): boolean {
  const [parts, others] = [versionParts(version), versionParts(than)];
  if (parts === null || others === null) return false;
  const at = parts.findIndex((part, index) => part !== others[index]);
  return at >= 0 && (parts[at] ?? 0) > (others[at] ?? 0);
}

async function versionOf(root: string): Promise<string> {
  const { version }: { version?: unknown } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  return typeof version === 'string' ? version : '0.0.0';
}

/** @returns a sentence for each reason why this version cannot be released from this tree. */
async function problemsOf(root: string, version: string, ports: ReleasePorts): Promise<string[]> {
  const current = await versionOf(root);
  const changes = await readFile(join(root, 'CHANGELOG.md'), 'utf8').catch(() => '');
  const hasSection = changes.split('\n').some((line) => line.trim() === `## ${version}`);
  return [
    ...(ports.git('status', '--porcelain') === ''
      ? []
      : ['There are changes that are not committed.']),
    ...(isLater(version, current) ? [] : [`${version} is not later than ${current}.`]),
    ...(hasSection ? [] : [`CHANGELOG.md has no section "## ${version}".`]),
    ...(ports.git('tag', '--list', `v${version}`) === '' ? [] : [`There is a tag v${version}.`]),
  ];
}

/**
 * Releases a version: checks the tree and the change log, runs all tests, sets the version, freezes what an owner's device stores
 * (tests/fixtures/frozen), commits, and tags the commit. Nothing is pushed.
 *
 * A release that stops between the tests and the commit leaves its changes in the tree, which had none before:
 * `git reset --hard` and `git clean -d --force tests/fixtures/frozen` take them back.
 *
 * @returns the exit code: 0 released, 1 refused or failed, 2 called in a wrong way.
 */
export async function release(request: ReleaseRequest, ports: ReleasePorts): Promise<number> {
  const { root, args } = request;
  const [version = ''] = args;
  if (args.length !== 1 || versionParts(version) === null) {
    ports.say(usage);
    return 2;
  }
  const problems = await problemsOf(root, version, ports);
  for (const problem of problems) ports.say(problem);
  if (problems.length > 0) return 1;

  const frozen = 'tests/integration/stored-data.test.ts';
  const failed =
    ports.run('npm', ['test']) ||
    ports.run('npm', ['version', version, '--no-git-tag-version']) ||
    ports.run('npx', ['vitest', 'run', '--project', 'system', frozen], {
      PAWPALS_FREEZE: version,
    }) ||
    ports.run('git', ['add', '--all']) ||
    ports.run('git', ['commit', '--quiet', '--message', `chore: release ${version}`]);
  if (failed) {
    ports.say(`${version} is not released.`);
    return 1;
  }
  const tag = ['tag', '--annotate', `v${version}`, '--message', version];
  if (ports.run('git', tag) !== 0) {
    ports.say(`${version} is committed and has no tag: git ${tag.join(' ')} adds it.`);
    return 1;
  }
  ports.say(`${version} is committed and tagged: git push --follow-tags publishes it.`);
  return 0;
}
