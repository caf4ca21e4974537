import { parseArgs } from 'node:util';
import { hostedSettings } from '../deploy-check/deploy-check.ts';
import { deployArguments } from './firebase-tools.ts';
import type { DeployTarget } from './deploy-plan.ts';

/** The side effects of a deployment; `scripts/deploy.mjs` has the real ones. */
export interface DeployPorts {
  /** @returns the exit code. */
  build(): number;
  /** @returns a sentence for each problem. */
  check(isBuilt: boolean): Promise<readonly string[]>;
  plan(target: DeployTarget): Promise<readonly string[]>;
  /** null if there is no terminal to ask. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Runs npx. @returns the exit code. */
  npx(args: readonly string[]): number;
  /** @returns the exit code. */
  smoke(origin: string): Promise<number>;
  readonly say: (line: string) => void;
}

export interface DeployRequest {
  /** The folder of the project. */
  readonly root: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

const usage = 'Usage: npm run deploy -- [--yes] [--address https://YOUR-DOMAIN]';

interface Options {
  readonly isAgreed: boolean;
  readonly address: string | null;
}

function readOptions(args: readonly string[]): Options | null {
  try {
    const options = { yes: { type: 'boolean' }, address: { type: 'string' } } as const;
    const { yes = false, address = null } = parseArgs({ args: [...args], options }).values;
    if (address !== null && new URL(address).protocol !== 'https:') return null;
    return { isAgreed: yes, address: address === null ? null : new URL(address).origin };
  } catch {
    return null;
  }
}

function isReady(problems: readonly string[], { say }: DeployPorts): boolean {
  for (const problem of problems) say(problem);
  return problems.length === 0;
}

async function isAgreed(ports: DeployPorts, question: string): Promise<boolean> {
  if (ports.ask === null) {
    ports.say('There is no terminal to ask; add --yes.');
    return false;
  }
  return /^y(es)?$/i.test((await ports.ask(question)).trim());
}

/**
 * Deploys this folder, and then runs the smoke test against it.
 *
 * - Nothing is uploaded before settings, files and builds are valid and the owner has agreed to the list of them.
 * - A failure ends it with an exit code other than 0, and names the step.
 *
 * @returns the exit code.
 */
export async function deploy(request: DeployRequest, ports: DeployPorts): Promise<number> {
  const { say } = ports;
  const options = readOptions(request.args);
  if (options === null) {
    say(usage);
    return 2;
  }
  // Settings are checked first, since a build takes longer than finding that they are missing.
  if (!isReady(await ports.check(false), ports)) return 1;
  if (ports.build() !== 0 || !isReady(await ports.check(true), ports)) return 1;
  const project = hostedSettings(request.root, request.env)['VITE_FIREBASE_PROJECT_ID'] ?? '';
  const origin = options.address ?? `https://${project}.web.app`;
  for (const line of await ports.plan({ project, origin })) say(line);
  if (!options.isAgreed && !(await isAgreed(ports, `Deploy to ${project}? (y/N) `))) {
    say('Nothing was deployed.');
    return 1;
  }
  if (ports.npx(deployArguments(project)) !== 0) {
    say(
      'The Firebase command line has failed; it says why above. Once that is mended, deploy again.',
    );
    return 1;
  }
  const code = await ports.smoke(origin);
  if (code !== 0) say('It was deployed, and does not work as it should.');
  return code;
}
