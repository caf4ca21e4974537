import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spyOnSyncs } from '../../tests/support/spy-on-syncs.ts';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { writePrivateFile } from './private-file.ts';

describe('a private file', () => {
  it('is whole, for its owner only, and alone in its folder', async () => {
    const folder = await tempFolder();
    const file = join(folder, 'secret');
    await writePrivateFile(file, 'first');
    await writePrivateFile(file, 'second');
    expect(await readFile(file, 'utf8')).toBe('second');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secret']);
  });

  it('leaves nothing when it cannot be written', async () => {
    const folder = await tempFolder();
    await mkdir(join(folder, 'secret'));
    await expect(writePrivateFile(join(folder, 'secret'), 'text')).rejects.toThrow('EISDIR');
    expect(await readdir(folder)).toEqual(['secret']);
  });

  it('outlives a power failure: its bytes and its name are synced', async () => {
    const folder = await tempFolder();
    const sync = await spyOnSyncs(folder);
    await writePrivateFile(join(folder, 'secret'), 'text');
    expect(sync).toHaveBeenCalledTimes(2);
  });
});
