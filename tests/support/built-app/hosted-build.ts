import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A web app's configuration as the Firebase console shows it. */
export const hostedSettings = {
  VITE_FIREBASE_API_KEY: 'AIzaSyA-key-of-nobody',
  VITE_FIREBASE_AUTH_DOMAIN: 'pawpals-check.firebaseapp.com',
  VITE_FIREBASE_PROJECT_ID: 'pawpals-check',
  VITE_FIREBASE_STORAGE_BUCKET: 'pawpals-check.firebasestorage.app',
  VITE_FIREBASE_APP_ID: '1:123:web:abc',
} as const;

async function build(mode: string, folder: string, settings: NodeJS.ProcessEnv): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--mode', mode, '--outDir', folder, '--logLevel', 'error'];
  const env = { ...process.env, ...settings, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, args, { cwd: root, env });
}

/** Builds the app as it is deployed, worker included. */
export function buildHosted(folder: string): Promise<void> {
  return build('hosted', folder, hostedSettings);
}

export const nativeSettings = { ...hostedSettings, VITE_APP_ORIGIN: 'https://pawpals.example' };

/** Builds the app as the native wrapper ships it. */
export function buildNative(folder: string, settings: NodeJS.ProcessEnv = nativeSettings) {
  return build('native', folder, settings);
}

/** Returns all built scripts, styles, pages and manifests as one text. */
export async function readBuilt(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const texts = files.filter((file) => /\.(js|css|html|webmanifest)$/.test(file));
  return (await Promise.all(texts.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
}
