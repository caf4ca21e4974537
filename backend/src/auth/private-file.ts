import { open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Readable by the owner of the process only; whole or absent, whatever crashes. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const draft = `${file}.part`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, file);
  const folder = await open(dirname(file));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
