import { loadEnv } from 'vite';
import { bundleProblems } from './bundle-problems.ts';
import { configProblems } from './config-problems.ts';
import { settingsProblems, type Settings } from './settings-problems.ts';

/** The settings of the build, from the files `.env.hosted*` and the environment, which takes precedence. */
export const hostedSettings = (root: string, env: NodeJS.ProcessEnv): Settings => ({
  ...loadEnv('hosted', root, 'VITE_'),
  ...env,
});

export interface DeployCheckOptions {
  /** False checks settings and files only, before there is a build. */
  readonly isBuilt: boolean;
}

/**
 * Checks the deployment: configuration files, settings, and bundles. It uses no network, so it does not check the
 * project in the cloud.
 * @returns a sentence for each problem.
 */
export async function deployCheck(
  root: string,
  env: NodeJS.ProcessEnv,
  { isBuilt }: DeployCheckOptions = { isBuilt: true },
): Promise<string[]> {
  const settings = hostedSettings(root, env);
  return [
    ...(await configProblems(root)),
    ...(await settingsProblems(root, settings)),
    ...(isBuilt ? await bundleProblems(root, settings) : []),
  ];
}
