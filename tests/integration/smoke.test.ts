import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBackend, type Backend } from '../../backend/src/server.ts';
import { firebaseConfigOf } from '../../replication/firebase/firebase-config.ts';
import { mountFunctions } from '../../scripts/serve/embedded-functions.ts';
import { handleTranscription } from '../../functions/src/transcription/http-handler.ts';
import {
  createEmbeddedTranscription,
  createEmbeddedTranscriptionPorts,
} from '../../scripts/serve/embedded-transcription.ts';
import { transcribePath } from '../../schemas/transcription.ts';
import { smokeTest } from '../../scripts/smoke/smoke.ts';
import { deployedFiles } from '../support/built-app/deployed-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;
let dist: string;
let backend: Backend;
let endFunctions: () => void;
/** Whether the server answers with a page in place of the function. */
let isDeaf: boolean;
let isAppCheckEnforced: boolean;

/** Writes the served app. The smoke test compares its files, so any content will do. */
async function writeBuild(page: string): Promise<void> {
  await mkdir(join(dist, 'static/js'), { recursive: true });
  await writeFile(join(dist, 'index.html'), page);
  await writeFile(join(dist, 'static/js/app-1.js'), 'export {};');
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawpals-smoke-'));
  dist = join(folder, 'dist');
  await writeBuild('<!doctype html><title>PawPals</title>');
  const transcription = createEmbeddedTranscription({ listener: null });
  const ask = transcription.httpFunctions[transcribePath] ?? (async () => Response.error());
  const askGuarded = (request: Request) => {
    const ports = createEmbeddedTranscriptionPorts(backend, { listener: null });
    return handleTranscription({ ...ports, isFromApp: async (token) => token !== null }, request);
  };
  isDeaf = false;
  isAppCheckEnforced = false;
  backend = await createBackend({
    dataDir: join(folder, 'data'),
    staticDir: dist,
    ...deployedFiles,
    httpFunctions: {
      [transcribePath]: async (request) => {
        if (isDeaf) return new Response('<!doctype html>');
        return isAppCheckEnforced ? askGuarded(request) : ask(request);
      },
    },
  });
  transcription.bind(backend);
  endFunctions = mountFunctions(backend);
});

afterEach(async () => {
  endFunctions();
  await backend.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly said: readonly string[];
}

const run = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const program = join(root, 'scripts/smoke.mjs');
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) => {
      const said = `${stdout}${stderr}`.trim().split('\n');
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said });
    });
  });

const steps = (expected = { isAppCheckEnforced: false }): Promise<void> =>
  smokeTest({
    ...expected,
    config: firebaseConfigOf({}, backend.url),
    origin: backend.url,
    dist,
    say: () => undefined,
  });

const leftOnServer = async () => ({
  pets: await backend.firestore.find({ collection: 'pets', limit: 1 }),
  entries: await backend.firestore.find({ collection: 'journalEntries', isGroup: true, limit: 1 }),
  files: backend.storage.list({ prefix: 'pets/' }).objects,
});

describe('the smoke test that follows a deployment', () => {
  it('passes on a working server, and leaves no data there', async () => {
    const { code, said } = await run(backend.url, '--dist', dist);
    expect(said.map((line) => line.replace(/smoke-\w+@/, '@'))).toEqual([
      `${backend.url} serves the build.`,
      '@example.com has signed up.',
      'A dog and a note were stored.',
      'A second session sees both.',
      'A picture was stored, and the second session has it.',
      'The function transcribe answers.',
      'The account was deleted, and nothing is left of it.',
      'The smoke test has passed.',
    ]);
    expect(code).toBe(0);
    expect(await leftOnServer()).toEqual({ pets: [], entries: [], files: [] });
  });

  it('fails with a message where another build is served, and creates no account there', async () => {
    await writeFile(join(dist, 'index.html'), '<!doctype html><title>Yesterday</title>');
    const other = join(folder, 'other');
    await mkdir(join(other, 'static/js'), { recursive: true });
    await writeFile(join(other, 'index.html'), '<!doctype html><title>Today</title>');
    const { code, said } = await run(backend.url, '--dist', other);
    expect(said).toEqual(['/ is not the page that was built.', 'The smoke test has failed.']);
    expect(code).toBe(1);
  });

  it('reports the failing step, and removes the account that it had created', async () => {
    isDeaf = true;
    await expect(steps()).rejects.toThrow('The function transcribe answers not-transcription');
    await expect.poll(leftOnServer).toEqual({ pets: [], entries: [], files: [] });
  });

  it('passes where App Check is enforced, and sees where it is not', async () => {
    isAppCheckEnforced = true;
    await steps({ isAppCheckEnforced: true });
    isAppCheckEnforced = false;
    await expect(steps({ isAppCheckEnforced: true })).rejects.toThrow(
      'The function transcribe answers words-not-found',
    );
  });

  it('says that nothing answers, or that there is no build', async () => {
    await backend.stop();
    const silent = await run(backend.url, '--dist', dist);
    expect(silent.said[0]).toMatch(`${backend.url} does not answer: connect ECONNREFUSED`);
    const unbuilt = await run(backend.url, '--dist', folder);
    expect(unbuilt.said[0]).toBe(
      `${folder} has no index.html to compare with; build the app first.`,
    );
    expect([silent.code, unbuilt.code]).toEqual([1, 1]);
  });

  it('requires an address', async () => {
    const { code, said } = await run('nowhere');
    expect(code).toBe(2);
    expect(said[0]).toContain('Usage: npm run smoke');
  });
});
