import { readdir } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import * as v from 'valibot';
import { readFirebaseConfig } from './firebase-config.ts';
import { readJson, readText } from './read-file.ts';
import type { Settings } from './settings-problems.ts';

/** The functions that the bundle must contain, since a deployment would delete a missing one from the cloud. */
export const deployedFunctions = ['accountCleanup', 'fileCleanup', 'transcribe'];

export async function bundleProblems(root: string, settings: Settings): Promise<string[]> {
  const config = await readFirebaseConfig(root);
  if (config === null) return [];
  return [
    ...(await appProblems(root, config.hosting.public, settings)),
    ...(await functionProblems(root, config.functions[0].source)),
  ];
}

async function appProblems(root: string, dist: string, settings: Settings): Promise<string[]> {
  const missing = ['index.html', 'sw.js'].map((file) => `${dist}/${file}`);
  const texts = await Promise.all(missing.map((file) => readText(root, file)));
  const absent = missing.filter((_, at) => texts[at] === null);
  if (absent.length > 0) {
    return absent.map((file) => `${file} is missing; run npm run build:hosted.`);
  }
  const key = settings['VITE_FIREBASE_API_KEY'] ?? '';
  const project = settings['VITE_FIREBASE_PROJECT_ID'] ?? '';
  const scripts = await readScripts(root, dist);
  const has = (text: string) => scripts.some((script) => script.includes(text));
  if (key === '' || project === '' || (has(key) && has(project))) return [];
  return [
    `${dist} was built for another project or for the embedded backend; run npm run build:hosted.`,
  ];
}

async function readScripts(root: string, dist: string): Promise<readonly string[]> {
  const files = await readdir(join(root, dist), { recursive: true });
  const scripts = files.filter((file) => file.endsWith('.js'));
  const texts = await Promise.all(scripts.map((file) => readText(root, join(dist, file))));
  return texts.filter((text) => text !== null);
}

const packageSchema = v.object({
  main: v.string(),
  dependencies: v.record(v.string(), v.string()),
});

async function functionProblems(root: string, source: string): Promise<string[]> {
  const parsed = v.safeParse(packageSchema, await readJson(root, `${source}/package.json`));
  if (!parsed.success) return [`${source}/package.json has no main or no dependencies.`];
  const { main, dependencies } = parsed.output;
  const bundle = await readText(root, `${source}/${main}`);
  if (bundle === null) return [`${source}/${main} is missing; run npm run build:functions.`];
  const lock = await readText(root, `${source}/package-lock.json`);
  return [
    ...(lock === null
      ? [`${source}/package-lock.json is missing; run npm run build:functions.`]
      : []),
    ...deployedFunctions
      .filter((name) => !new RegExp(`export\\s*\\{[^}]*\\b${name}\\b`).test(bundle))
      .map((name) => `${source}/${main} lacks ${name}; run npm run build:functions.`),
    ...importedPackages(bundle)
      .filter((name) => !(name in dependencies))
      .map((name) => `${source}/package.json lacks ${name}, which the bundle imports.`),
  ];
}

const isBuiltIn = (name: string) => name.startsWith('node:') || builtinModules.includes(name);

/** Returns the packages that the bundle imports. The cloud installs only those in package.json. */
function importedPackages(bundle: string): readonly string[] {
  const specifiers = [...bundle.matchAll(/^\s*import\b[^'"]*['"]([^'"]+)['"]/gm)];
  const names = specifiers.map(([, specifier = '']) => {
    const [scope = '', name = ''] = specifier.split('/');
    return scope.startsWith('@') ? `${scope}/${name}` : scope;
  });
  return [...new Set(names)].filter((name) => !isBuiltIn(name));
}
