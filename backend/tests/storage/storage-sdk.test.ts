import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { importBrowserSdk, type BrowserSdk } from '../support/clients/sdk-bundle.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { md5, noise, storageUser } from '../support/clients/storage-user.ts';
import { tempFolder } from '../support/temp-folder.ts';

let sdk: BrowserSdk;
beforeAll(async () => {
  sdk = await importBrowserSdk();
});

const setUp = async () => {
  const backend = await startBackend();
  return { backend, ...(await storageUser(sdk, backend)) };
};

describe('uploads', () => {
  it('uploadBytes answers with the metadata of what was stored', async () => {
    const { file, petId } = await setUp();
    const bytes = noise(100_000);
    const { metadata } = await sdk.uploadBytes(file('audios/note.webm'), bytes, {
      contentType: 'audio/webm',
      cacheControl: 'private, max-age=60',
      customMetadata: { durationMs: '1200' },
    });
    expect(metadata).toMatchObject({
      bucket: 'demo-pawpals.appspot.com',
      fullPath: `pets/${petId}/audios/note.webm`,
      name: 'note.webm',
      size: 100_000,
      md5Hash: md5(bytes),
      contentType: 'audio/webm',
      contentDisposition: 'inline',
      contentEncoding: 'identity',
      cacheControl: 'private, max-age=60',
      customMetadata: { durationMs: '1200' },
      metageneration: '1',
    });
    expect(await sdk.getMetadata(file('audios/note.webm'))).toEqual(metadata);
  });

  it.each([
    ['raw', 'naïve 🐕', 'naïve 🐕'],
    ['base64', 'bmHDr3Zl', 'naïve'],
    ['data_url', 'data:text/plain;base64,bmHDr3Zl', 'naïve'],
  ] as const)('uploadString as %s', async (format, text, stored) => {
    const { file } = await setUp();
    await sdk.uploadString(file('note.txt'), text, format);
    const bytes = await sdk.getBytes(file('note.txt'));
    expect(Buffer.from(bytes).toString('utf8')).toBe(stored);
  });

  it('an empty file', async () => {
    const { file } = await setUp();
    const { metadata } = await sdk.uploadBytes(file('empty'), new Uint8Array());
    expect(metadata).toMatchObject({ size: 0, md5Hash: md5(new Uint8Array()) });
    expect((await sdk.getBytes(file('empty'))).byteLength).toBe(0);
  });

  it.each([262_144, 262_145, 3_000_000])('uploadBytesResumable of %i bytes', async (size) => {
    const { file } = await setUp();
    const bytes = noise(size);
    const task = sdk.uploadBytesResumable(file('big'), bytes, { contentType: 'audio/mp4' });
    const { metadata, bytesTransferred } = await task;
    expect(bytesTransferred).toBe(size);
    expect(metadata).toMatchObject({ size, md5Hash: md5(bytes), contentType: 'audio/mp4' });
    expect(md5(new Uint8Array(await sdk.getBytes(file('big'))))).toBe(md5(bytes));
  });

  it('paused, over a restart of the server, resumed', async () => {
    const dataDir = await tempFolder();
    const backend = await startBackend({ dataDir });
    const { file } = await storageUser(sdk, backend);
    const bytes = noise(8_000_000);
    const task = sdk.uploadBytesResumable(file('big'), bytes);
    const before = await pausedAt(task, 500_000);
    await backend.stop();
    await startBackend({ dataDir, port: backend.port });
    const seen: number[] = [];
    task.on('state_changed', ({ bytesTransferred }) => seen.push(bytesTransferred));
    task.resume();
    expect((await task).metadata.md5Hash).toBe(md5(bytes));
    expect(before).toBeLessThan(bytes.length);
    // The upload resumes where it was: no acknowledged bytes are sent again.
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(before);
  });

  it('canceled: nothing is stored, and what was there stays', async () => {
    const { file } = await setUp();
    await sdk.uploadString(file('big'), 'old');
    const task = sdk.uploadBytesResumable(file('big'), noise(8_000_000));
    task.on('state_changed', ({ bytesTransferred }) => {
      if (bytesTransferred > 0) task.cancel();
    });
    await expect(task).rejects.toMatchObject({ code: 'storage/canceled' });
    expect(Buffer.from(await sdk.getBytes(file('big'))).toString()).toBe('old');
  });
});

type Task = ReturnType<BrowserSdk['uploadBytesResumable']>;

/** Pauses the task after at least `minBytes`; resolves to the acknowledged bytes. */
async function pausedAt(task: Task, minBytes: number): Promise<number> {
  const stopWatching = task.on('state_changed', ({ bytesTransferred, state }) => {
    if (state === 'running' && bytesTransferred >= minBytes) task.pause();
  });
  await eventually(() => expect(task.snapshot.state).toBe('paused'));
  stopWatching();
  return task.snapshot.bytesTransferred;
}

describe('downloads', () => {
  it('a download URL needs no sign-in, stays the same, and ends with an overwrite', async () => {
    const { file } = await setUp();
    await sdk.uploadString(file('a b/ü?#%.txt'), 'first', 'raw', { contentType: 'text/plain' });
    const url = await sdk.getDownloadURL(file('a b/ü?#%.txt'));
    expect(await sdk.getDownloadURL(file('a b/ü?#%.txt'))).toBe(url);
    const response = await fetch(url);
    expect([response.status, await response.text()]).toEqual([200, 'first']);
    await sdk.uploadString(file('a b/ü?#%.txt'), 'second');
    expect((await fetch(url)).status).toBe(403);
    const next = await sdk.getDownloadURL(file('a b/ü?#%.txt'));
    expect(await (await fetch(next)).text()).toBe('second');
  });

  it('getBytes with a limit, getBlob', async () => {
    const { file } = await setUp();
    const bytes = noise(1000);
    await sdk.uploadBytes(file('a'), bytes, { contentType: 'image/png' });
    const part = await sdk.getBytes(file('a'), 10);
    expect(new Uint8Array(part)).toEqual(bytes.slice(0, 10));
    const blob = await sdk.getBlob(file('a'));
    expect([blob.size, blob.type]).toEqual([1000, 'image/png']);
  });

  it('what is not there is storage/object-not-found', async () => {
    const { file } = await setUp();
    const missing = { code: 'storage/object-not-found' };
    await expect(sdk.getMetadata(file('none'))).rejects.toMatchObject(missing);
    await expect(sdk.getBytes(file('none'))).rejects.toMatchObject(missing);
    await expect(sdk.deleteObject(file('none'))).rejects.toMatchObject(missing);
    await expect(sdk.updateMetadata(file('none'), {})).rejects.toMatchObject(missing);
  });
});

describe('metadata', () => {
  it('is merged; null removes', async () => {
    const { file } = await setUp();
    await sdk.uploadString(file('a'), 'a', 'raw', {
      contentType: 'text/plain',
      contentLanguage: 'de',
      customMetadata: { one: '1', two: '2' },
    });
    const json = { contentLanguage: undefined, cacheControl: 'no-store' };
    const updated = await sdk.updateMetadata(file('a'), {
      ...json,
      customMetadata: { two: '22', ['__proto__']: 'x', constructor: 'y' },
    });
    expect(updated).toMatchObject({
      metageneration: '2',
      contentType: 'text/plain',
      contentLanguage: 'de',
      cacheControl: 'no-store',
    });
    expect(Object.entries(updated.customMetadata ?? {})).toEqual([
      ['one', '1'],
      ['two', '22'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });
});

describe('lists', () => {
  it('list pages through files and folders; listAll has them all', async () => {
    const { file } = await setUp();
    const names = ['a', 'b/1', 'b/2', 'c', 'd/x/y', 'e'];
    for (const name of names) await sdk.uploadString(file(`list/${name}`), name);
    const all = await sdk.listAll(file('list'));
    expect(all.items.map(({ name }) => name)).toEqual(['a', 'c', 'e']);
    expect(all.prefixes.map(({ name }) => name)).toEqual(['b', 'd']);
    const pages: string[][] = [];
    let pageToken: string | undefined;
    do {
      const page = await sdk.list(file('list'), {
        maxResults: 2,
        ...(pageToken === undefined ? {} : { pageToken }),
      });
      pages.push([...page.items, ...page.prefixes].map(({ name }) => name));
      pageToken = page.nextPageToken ?? undefined;
    } while (pageToken !== undefined);
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('a deleted file is in no list and its URL is dead', async () => {
    const { file } = await setUp();
    await sdk.uploadString(file('list/a'), 'a');
    const url = await sdk.getDownloadURL(file('list/a'));
    await sdk.deleteObject(file('list/a'));
    expect((await sdk.listAll(file('list'))).items).toEqual([]);
    expect((await fetch(url)).status).toBe(403);
  });
});

describe('other owners', () => {
  it('may do nothing, and learn nothing', async () => {
    const { backend, file } = await setUp();
    await sdk.uploadString(file('a'), 'a');
    const other = await storageUser(sdk, backend);
    const foreign = sdk.ref(other.storage, file('a').fullPath);
    const missing = sdk.ref(other.storage, file('none').fullPath);
    const denied = { code: 'storage/unauthorized' };
    for (const each of [foreign, missing]) {
      await expect(sdk.getMetadata(each)).rejects.toMatchObject(denied);
      await expect(sdk.getBytes(each)).rejects.toMatchObject(denied);
      await expect(sdk.uploadString(each, 'b')).rejects.toMatchObject(denied);
      await expect(sdk.uploadBytesResumable(each, noise(300_000))).rejects.toMatchObject(denied);
      await expect(sdk.updateMetadata(each, {})).rejects.toMatchObject(denied);
      await expect(sdk.deleteObject(each)).rejects.toMatchObject(denied);
    }
    await expect(sdk.listAll(foreign)).rejects.toMatchObject(denied);
    expect(Buffer.from(await sdk.getBytes(file('a'))).toString()).toBe('a');
  });
});
