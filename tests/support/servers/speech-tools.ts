import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tmpdir } from 'node:os';

const script = fileURLToPath(new URL('../../../scripts/install-speech.mjs', import.meta.url));

/**
 * Installs the speech synthesizer, the decoder and the recognizer as `npm test` does. @throws with a sentence that
 * names what is missing.
 */
export function requireSpeechTools(): void {
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.trim());
}

const run = promisify(execFile);

/** Writes a file for a browser's fake microphone: half a second of silence, the words, and silence after them. */
export async function speakInto(file: string, words: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-spoken-'));
  try {
    const wav = join(folder, 'spoken.wav');
    await writeFile(wav, await speak(words, 'wav'));
    const filter = 'adelay=500:all=1,apad=pad_dur=40';
    await run('ffmpeg', ['-v', 'error', '-y', '-i', wav, '-af', filter, '-ar', '48000', file]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the words spoken by espeak-ng in the way that a small recognizer understands best. @param format a file
 * extension that ffmpeg knows.
 */
export async function speak(words: string, format: string): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-spoken-'));
  try {
    const wav = join(folder, 'spoken.wav');
    await run('espeak-ng', ['-v', 'en-us', '-s', '170', '-w', wav, words]);
    if (format === 'wav') return new Uint8Array(await readFile(wav));
    const file = join(folder, `encoded.${format}`);
    await run('ffmpeg', ['-v', 'error', '-i', wav, file]);
    return new Uint8Array(await readFile(file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
