import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs work on a temporary file with these bytes, which only this user can read. It is removed afterwards, or when this
 * process exits before that; only a killed process leaves it.
 */
export async function withScratchFile<Result>(
  bytes: Uint8Array,
  work: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-speech-'));
  // An exit waits for no promise.
  const removeNow = () => rmSync(folder, { recursive: true, force: true });
  process.on('exit', removeNow);
  try {
    const file = join(folder, 'audio');
    await writeFile(file, bytes, { mode: 0o600 });
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
    process.off('exit', removeNow);
  }
}
