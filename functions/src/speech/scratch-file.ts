import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes as a file for as long as somebody works with it; readable by this user only, gone whatever happens. */
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
