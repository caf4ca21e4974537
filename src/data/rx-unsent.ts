import { firstValue } from '../lib/first-value.ts';
import { toBase64 } from '../lib/base64.ts';
import type { Collections } from './collections.ts';
import { CommandError } from './commands.ts';
import type { Files } from './files.ts';
import { isNews } from './is-news.ts';
import type { UnsentFile, UnsentWork } from './queries.ts';

type ReadableFiles = Pick<Files, 'jobs' | 'readFile'>;

async function readFiles(files: ReadableFiles): Promise<UnsentFile[]> {
  const jobs = await firstValue(files.jobs());
  const read = jobs.map(async ({ id, kind, petId, entryId, createdAtMs }) => {
    try {
      const { bytes, contentType } = await files.readFile(id);
      return [{ kind, petId, entryId, contentType, createdAtMs, base64: toBase64(bytes) }];
    } catch (error) {
      // It was sent meanwhile.
      if (error instanceof CommandError && error.code === 'not-found') return [];
      throw error;
    }
  });
  return (await Promise.all(read)).flat();
}

/** Reads everything that is on this device alone. */
export async function readUnsent(
  collections: Collections,
  files: ReadableFiles,
): Promise<UnsentWork> {
  const selector = { pending: { $gt: 0 } };
  const [pets, entries, losers, unsentFiles] = await Promise.all([
    collections.pets.find({ selector }).exec(),
    collections.journal_entries.find({ selector }).exec(),
    collections.local.find({ selector: { kind: 'loser' } }).exec(),
    readFiles(files),
  ]);
  return {
    pets: pets.map((pet) => pet.toMutableJSON()).filter(isNews),
    entries: entries.map((entry) => entry.toMutableJSON()).filter(isNews),
    otherVersions: losers.flatMap((loser) => {
      const { id, data } = loser.toMutableJSON();
      return data.kind === 'loser' ? [{ ...data, id }] : [];
    }),
    files: unsentFiles,
  };
}
