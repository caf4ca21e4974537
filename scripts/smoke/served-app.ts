import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { SmokeError } from './smoke-error.ts';

interface Served {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function ask(address: string): Promise<Served> {
  try {
    const answer = await fetch(address);
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  } catch (error) {
    // The reason of a request without an answer, as a name that is not found, is only in the cause.
    const { cause = error } = error instanceof Error ? error : {};
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SmokeError(`${new URL(address).origin} does not answer: ${reason}`);
  }
}

async function readBuilt(dist: string): Promise<string> {
  try {
    return await readFile(join(dist, 'index.html'), 'utf8');
  } catch {
    throw new SmokeError(`${dist} has no index.html to compare with; build the app first.`);
  }
}

const kept = /max-age=(\d+)/;

/** The longest time, in seconds, for which a browser may cache that a file is missing. */
const missingMaxAgeS = 3_600;

/**
 * Checks that the origin serves the build in `dist`: its page, also at a path within the app, its files, and no
 * substitute for a missing file. @throws {SmokeError}
 */
export async function checkServedApp(origin: string, dist: string): Promise<void> {
  const built = await readBuilt(dist);
  for (const path of ['/', '/pets/smoke/profile']) {
    const { text, headers } = await ask(origin + path);
    if (text !== built) throw new SmokeError(`${path} is not the page that was built.`);
    if (headers.get('content-security-policy') === null) {
      throw new SmokeError(`${path} comes without a Content-Security-Policy.`);
    }
  }
  const files = await readdir(join(dist, 'static'), { recursive: true, withFileTypes: true });
  const script = files.find((file) => file.isFile() && file.name.endsWith('.js'));
  if (script === undefined) throw new SmokeError('dist has no scripts.');
  const local = join(script.parentPath, script.name);
  const path = `/${relative(dist, local).replaceAll('\\', '/')}`;
  const { text } = await ask(origin + path);
  if (text !== (await readFile(local, 'utf8'))) throw new SmokeError(`${path} is another file.`);
  const missing = await ask(`${origin}/static/js/missing-00000000.js`);
  if (missing.status !== 404) throw new SmokeError('A missing file is not answered with 404.');
  const maxAgeS = Number(kept.exec(missing.headers.get('cache-control') ?? '')?.[1] ?? 0);
  if (maxAgeS > missingMaxAgeS) {
    throw new SmokeError(`Browsers remember for ${maxAgeS} s that a file is missing.`);
  }
}
