import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../store/sync-folder.ts';

/** Writes a file atomically, readable by the owner of the process only; after a crash it is complete or absent. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const draft = `${file}.part`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
}
