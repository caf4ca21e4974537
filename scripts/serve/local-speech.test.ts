import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findLocalSpeech } from './local-speech.ts';

async function folderWith(...names: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-path-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of names) await writeFile(join(folder, name), '');
  return folder;
}

describe('the engine of a machine', () => {
  it('is the small recognizer where it and its decoder are installed', async () => {
    const folders = [await folderWith('ffmpeg'), await folderWith('pocketsphinx_continuous')];
    const { engine, note } = findLocalSpeech({ PATH: folders.join(delimiter) });
    expect(engine).toBe('pocketsphinx');
    expect(note).toMatch(/rough texts.*docs\/speech\.md/);
  });

  it.each([['ffmpeg'], ['pocketsphinx_continuous']])('is none with %s alone', async (name) => {
    const { engine, note } = findLocalSpeech({ PATH: await folderWith(name) });
    expect(engine).toBe('none');
    expect(note).toMatch(/no texts.*docs\/speech\.md/);
  });

  it('is not spoken of where one was named', async () => {
    const env = { PATH: await folderWith(), PAWPALS_SPEECH_ENGINE: 'none' };
    expect(findLocalSpeech(env).note).toBeNull();
  });
});
