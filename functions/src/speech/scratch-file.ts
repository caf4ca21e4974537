import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs work on a temporary file with these bytes, which only this user can read and which is removed in any case. */
export async function withScratchFile<Result>(
  bytes: Uint8Array,
  work: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-speech-'));
  try {
    const file = join(folder, 'audio');
    await writeFile(file, bytes, { mode: 0o600 });
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
