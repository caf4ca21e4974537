import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled } from './installed-packages.mjs';

/** The folder of the project. Scripts start before anything is installed, so they use only Node. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a command in the project's folder with its output shown. @returns its exit code. */
export function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  if (error) console.error(`${command} could not be started: ${error.message}`);
  return status ?? 1;
}

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

function readInstalled() {
  try {
    return readJson('node_modules/.package-lock.json');
  } catch {
    return { packages: {} };
  }
}

/** Exits with a message if this user may not write to the project's folders, as an installation and a build do. */
export function requireWritable() {
  const folders = ['.', 'node_modules', 'dist', '.cache'].map((name) => join(root, name));
  try {
    for (const folder of folders) if (existsSync(folder)) accessSync(folder, constants.W_OK);
  } catch {
    console.error(
      `PawPals has to be installed and built first, and this user may not write to ${root}; run npm start once as the user who may.`,
    );
    process.exit(1);
  }
}

/** Installs the packages of package-lock.json, unless they are installed. */
export function ensureInstalled() {
  if (isInstalled(readJson('package-lock.json'), readInstalled())) return;
  requireWritable();
  console.log('Installing packages…');
  // Warnings are off, since Capacitor's CLI asks for a newer Node and only the native wrapper needs it.
  // The build needs the development packages, which npm omits where NODE_ENV is `production`.
  const code = run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) {
    console.error('The packages could not be installed; npm says why above.');
    process.exit(code);
  }
}

/** Exits with a message if the tools do not run on this Node. */
export function requireNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  console.error(
    `PawPals needs Node 20.19 or newer of version 20, or 22.12 or newer; this is ${version}.`,
  );
  process.exit(1);
}
