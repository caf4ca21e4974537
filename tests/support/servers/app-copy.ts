import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const built = new URL('../../../dist', import.meta.url).pathname;

/** A copy of the built app that can be changed while it is served. */
export interface AppCopy {
  readonly folder: string;
  /** Makes the service worker run that script before its own. */
  prefixWorker(script: string): Promise<void>;
  /** Deploys a version of that name: its page states the name, and its worker precaches that page. */
  release(name: string): Promise<void>;
  dispose(): Promise<void>;
}

async function replaceIn(file: string, from: RegExp, to: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  if (!from.test(text)) throw new Error(`${file} has nothing like ${from}`);
  const changed = text.replace(from, to);
  await writeFile(file, changed);
  return changed;
}

export async function copyApp(): Promise<AppCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-app-'));
  await cp(built, folder, { recursive: true });
  return {
    folder,
    prefixWorker: async (script) => {
      const worker = join(folder, 'sw.js');
      await writeFile(worker, `${script}\n${await readFile(worker, 'utf8')}`);
    },
    release: async (name) => {
      const page = await replaceIn(
        join(folder, 'index.html'),
        /<html([^>]*?)( data-version="[^"]*")?>/,
        `<html$1 data-version="${name}">`,
      );
      const revision = createHash('md5').update(page).digest('hex');
      await replaceIn(
        join(folder, 'sw.js'),
        /("?revision"?:)[`"'][0-9a-f]{32}[`"'](,"?url"?:[`"']index\.html)/,
        `$1"${revision}"$2`,
      );
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
