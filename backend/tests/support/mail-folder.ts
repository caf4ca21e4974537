import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';

/** Reads the mails that the backend of a data folder has sent. */
export function mailFolder(dataDir: string) {
  const folder = join(dataDir, 'mail');
  const files = async () =>
    (await readdir(folder).catch(() => []))
      .filter((name) => name.endsWith('.eml'))
      .toSorted((a, b) => (a < b ? -1 : 1));
  /** Waits until there are `count` mails, since a mail may be written after the request is answered. */
  const waitFor = async (count: number) => {
    const names = await eventually(async () => {
      const found = await files();
      expect(found.length).toBe(count);
      return found;
    });
    return Promise.all(names.map((each) => readFile(join(folder, each), 'utf8')));
  };
  const lastLink = async (count: number): Promise<URL> => {
    const mails = await waitFor(count);
    const links = mails.flatMap((each) => /^https?:\/\/\S+$/m.exec(each)?.[0] ?? []);
    return new URL(links.at(-1) ?? '');
  };
  return { folder, files, waitFor, lastLink };
}
