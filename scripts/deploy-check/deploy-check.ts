import { loadEnv } from 'vite';
import { bundleProblems } from './bundle-problems.ts';
import { configProblems } from './config-problems.ts';
import { settingsProblems, type Settings } from './settings-problems.ts';

/** What the app is built with: the files `.env.hosted*`, and the environment, which wins. */
export const hostedSettings = (root: string, env: NodeJS.ProcessEnv): Settings => ({
  ...loadEnv('hosted', root, 'VITE_'),
  ...env,
});

export interface DeployCheckOptions {
  /** False: settings and files only, before there is a build. */
  readonly isBuilt: boolean;
}

/**
 * Looks at what would be deployed: configuration files, settings, and bundles. No network is used, so nothing here speaks
 * about the project in the cloud.
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
