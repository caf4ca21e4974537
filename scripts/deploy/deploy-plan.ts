import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { deployedFunctions } from '../deploy-check/bundle-problems.ts';
import { readFirebaseConfig } from '../deploy-check/firebase-config.ts';
import { readFunctionsSettings } from '../deploy-check/functions-settings.ts';
import { readJson } from '../deploy-check/read-file.ts';
import { firebaseTools } from './firebase-tools.ts';

export interface DeployTarget {
  readonly project: string;
  /** The origin that will serve the app. */
  readonly origin: string;
}

const listSchema = v.object({
  indexes: v.array(v.unknown()),
  fieldOverrides: v.array(v.unknown()),
});
const lockSchema = v.object({ packages: v.record(v.string(), v.unknown()) });

async function describeFiles(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return `${files.length} files, ${(bytes / 1_000_000).toFixed(1)} MB`;
}

async function describeRules(root: string, file: string): Promise<string> {
  const text = await readFile(join(root, file), 'utf8');
  return `${file}, ${text.split('\n').length - 1} lines`;
}

async function describeIndexes(root: string, file: string): Promise<string> {
  const { indexes, fieldOverrides } = v.parse(listSchema, await readJson(root, file));
  return `${indexes.length} indexes and ${fieldOverrides.length} of single fields, by ${file}`;
}

/** @returns lines that list the uploads, changes and removals of a deployment of this folder. */
export async function deployPlan(root: string, target: DeployTarget): Promise<readonly string[]> {
  const config = await readFirebaseConfig(root);
  if (config === null) throw new Error('firebase.json cannot be read.');
  const { hosting, firestore, storage, functions } = config;
  const [{ source, runtime }] = functions;
  const { engine, secrets, isAppCheckEnforced } = await readFunctionsSettings(root, source);
  const lock = v.parse(lockSchema, await readJson(root, `${source}/package-lock.json`));
  const packages = Object.keys(lock.packages).length - 1;
  return [
    `project     ${target.project}, with ${firebaseTools}`,
    `hosting     ${await describeFiles(join(root, hosting.public))}, at ${target.origin}`,
    `functions   ${deployedFunctions.join(', ')} on ${runtime}, ${packages} packages by their lock file`,
    `speech      ${engine}${secrets.length > 0 ? `, with the secret ${secrets.join()}` : ''}`,
    `App Check   ${isAppCheckEnforced ? 'asked for by transcribe' : 'not asked for by transcribe'}`,
    `rules       ${await describeRules(root, firestore.rules)}; ${await describeRules(root, storage.rules)}`,
    `indexes     ${await describeIndexes(root, firestore.indexes)}`,
    'Functions and indexes of the project that are not among these are deleted.',
  ];
}
