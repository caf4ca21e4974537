import { loadEnv } from 'vite';
import { bundleProblems } from './bundle-problems.ts';
import { configProblems } from './config-problems.ts';
import { settingsProblems } from './settings-problems.ts';

/**
 * Looks at what would be deployed: configuration files, settings, and bundles. No network is used, so nothing here speaks
 * about the project in the cloud.
 * @returns a sentence for each problem.
 */
export async function deployCheck(root: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const fromFiles = loadEnv('hosted', root, 'VITE_');
  const settings = { ...fromFiles, ...env };
  return [
    ...(await configProblems(root)),
    ...(await settingsProblems(root, settings)),
    ...(await bundleProblems(root, settings)),
  ];
}
