import { readFile, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spyOnSyncs } from '../../tests/support/spy-on-syncs.ts';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { openFileStore } from './file-store.ts';

const setUp = async () => {
  const folder = await tempFolder();
  return {
    folder,
    files: await openFileStore(folder),
    part: (id: string) => join(folder, 'parts', id),
  };
};

async function* of(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function* broken(text: string) {
  yield Buffer.from(text);
  throw new Error('connection lost');
}

describe('a part', () => {
  it('is written where it is told to, and what lies beyond is cut off', async () => {
    const { files, part } = await setUp();
    await files.append('a', 0, of('hello ', 'world'));
    expect(await files.append('a', 6, of('you'))).toEqual({ end: 9, interruption: null });
    expect(await readFile(part('a'), 'utf8')).toBe('hello you');
  });

  it('keeps the received bytes of an interrupted body', async () => {
    const { files } = await setUp();
    const { end, interruption } = await files.append('a', 0, broken('half'));
    expect([end, interruption]).toMatchObject([4, { message: 'connection lost' }]);
    expect(await files.partSize('a')).toBe(4);
  });

  it('that is lost is not made anew in the middle', async () => {
    const { files } = await setUp();
    await expect(files.append('a', 5, of('x'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('has each piece on the disk before the next is asked for: memory holds one', async () => {
    const { files, part } = await setUp();
    const piece = Buffer.alloc(64 * 1024, 7);
    const behind: number[] = [];
    async function* body() {
      for (let sent = 0; sent < 50 * 1024 * 1024; sent += piece.length) {
        behind.push(sent - (await stat(part('a'))).size);
        yield piece;
      }
    }
    const { end } = await files.append('a', 0, body());
    expect(end).toBe(50 * 1024 * 1024);
    expect(new Set(behind)).toEqual(new Set([0]));
    expect((await files.inspectPart('a')).size).toBe(end);
  });

  it.each([
    ['', '1B2M2Y8AsgTpgAmY7PhCfg=='],
    ['123456789', 'JfnnlDI7RTiF9RgfG2JNCw=='],
  ])('%j has the hash of Cloud Storage', async (text, md5Hash) => {
    const { files } = await setUp();
    await files.append('a', 0, of(text));
    expect(await files.inspectPart('a')).toEqual({ size: text.length, md5Hash });
  });
});

describe('a power failure', () => {
  it('takes neither bytes nor names of what was acknowledged', async () => {
    const { files, folder } = await setUp();
    const sync = await spyOnSyncs(folder);
    await files.append('a', 0, of('hello'));
    // The bytes, and the folder that names a new part.
    expect(sync).toHaveBeenCalledTimes(2);
    await files.append('a', 5, of(' you'));
    expect(sync).toHaveBeenCalledTimes(3);
    await files.publish('a');
    expect(sync).toHaveBeenCalledTimes(4);
  });
});

describe('a file', () => {
  it('is there when it is published, and can be withdrawn and removed', async () => {
    const { files, folder } = await setUp();
    await files.append('a', 0, of('x'));
    expect(await files.open('a')).toBeNull();
    await files.publish('a');
    const handle = await files.open('a');
    expect(await handle?.readFile('utf8')).toBe('x');
    await handle?.close();
    await files.withdraw('a');
    await files.withdraw('none');
    expect(await readdir(join(folder, 'files'))).toEqual([]);
    await files.publish('a');
    await files.remove('a');
    await files.remove('a');
    expect(await files.open('a')).toBeNull();
  });

  it('that was last written before a time is removed unless it is needed, and a part as well', async () => {
    const { files, folder } = await setUp();
    for (const kind of ['files', 'parts']) {
      for (const id of ['old', 'old-needed', 'new']) {
        await writeFile(join(folder, kind, id), '');
        const seconds = id === 'new' ? 2000 : 1000;
        await utimes(join(folder, kind, id), seconds, seconds);
      }
    }
    await files.removeOld(1_500_000, (id) => id === 'old-needed');
    for (const kind of ['files', 'parts']) {
      expect(new Set(await readdir(join(folder, kind)))).toEqual(new Set(['new', 'old-needed']));
    }
  });
});
