import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../tests/support/eventually.ts';
import {
  aliceCaller,
  bobCaller,
  bytesOf,
  namesOf,
  openTestStorage,
  put,
  target,
  textOf,
} from '../../../tests/support/test-storage.ts';
import type { StorageAccessRequest } from '../access-policy.ts';

const filesIn = (folder: string, kind: 'files' | 'parts') => readdir(join(folder, kind));

describe('an object', () => {
  it('is there after a restart, with everything that was said about it', async () => {
    const { storage, store, folder, clock } = await openTestStorage();
    const before = await put(storage, 'pets/rex/ü', 'hello');
    const updated = await storage.bucket.update(aliceCaller, before.name, {
      contentType: 'text/plain',
      metadata: { __proto__x: 'a' },
    });
    await storage.stop();
    const again = await openTestStorage({ store, folder, clock });
    expect(again.storage.bucket.peek(before.name)).toEqual(updated);
    expect(await textOf(again.storage, before.name)).toBe('hello');
  });

  it('of a record that an earlier version wrote, with a CRC, is read and changed', async () => {
    const { storage, store } = await openTestStorage();
    const object = await put(storage, 'a', 'hello');
    const key = 'storage/object/a';
    const record = { ...JSON.parse(store.get(key) ?? ''), crc32c: 'mnG7TA==' };
    await store.write([{ type: 'put', key, value: JSON.stringify(record) }]);
    expect(storage.bucket.get(aliceCaller, 'a')).toEqual(object);
    expect(await textOf(storage, 'a')).toBe('hello');
    const change = { contentType: 'text/plain' };
    expect(await storage.bucket.update(aliceCaller, 'a', change)).toMatchObject({
      generation: object.generation,
      settings: change,
    });
  });

  it('is seen only when its record is durable; until then readers see the old one', async () => {
    const { storage, store, folder } = await openTestStorage();
    await put(storage, 'a', 'old');
    const disk = store.hold();
    const uploading = put(storage, 'a', 'new');
    await eventually(async () => expect(await filesIn(folder, 'files')).toHaveLength(2));
    expect(await textOf(storage, 'a')).toBe('old');
    disk.release();
    await uploading;
    expect(await textOf(storage, 'a')).toBe('new');
    expect(await filesIn(folder, 'files')).toHaveLength(1);
  });

  it('is one durable write', async () => {
    const { storage, store } = await openTestStorage();
    await put(storage, 'a', 'x');
    expect(store.writes).toHaveLength(1);
  });

  it('of a caller with many changes keeps nobody else’s waiting', async () => {
    const { storage, store } = await openTestStorage();
    for (const name of ['a', 'b']) await put(storage, name, 'hello');
    const before = store.writes.length;
    const change = (caller: typeof aliceCaller, name: string, at: number) =>
      storage.bucket.update(caller, name, { metadata: { at: `${at}` } });
    const many = Array.from({ length: 50 }, (_, at) => change(aliceCaller, 'a', at));
    await change(bobCaller, 'b', 1);
    expect(store.writes.length - before).toBeLessThanOrEqual(3);
    await Promise.all(many);
    expect(storage.bucket.peek('a')?.settings.custom.get('at')).toBe('49');
  });

  it('that was overwritten is read to its end by who had begun', async () => {
    const { storage } = await openTestStorage();
    await put(storage, 'a', 'old');
    const { file } = await storage.bucket.open(aliceCaller, 'a');
    await put(storage, 'a', 'new');
    expect(await file.readFile('utf8')).toBe('old');
    await file.close();
  });

  it('gets a higher generation with each upload, also when the clock stands or steps back', async () => {
    const { storage, clock } = await openTestStorage();
    const first = await put(storage, 'a', 'x');
    const second = await put(storage, 'a', 'x');
    clock.set(0);
    const third = await put(storage, 'a', 'x');
    expect(second.generation).toBeGreaterThan(first.generation);
    expect(third.generation).toBeGreaterThan(second.generation);
    expect(new Set([first, second, third].flatMap((each) => each.downloadTokens)).size).toBe(3);
  });

  it('that cannot be removed keeps its contents', async () => {
    const { storage, store } = await openTestStorage();
    await put(storage, 'a', 'hello');
    store.fail();
    await expect(storage.bucket.remove(aliceCaller, 'a')).rejects.toThrow('full');
    store.fail(false);
    expect(await textOf(storage, 'a')).toBe('hello');
  });

  it('leaves nothing when its body breaks off, is too long or has another hash', async () => {
    const { storage, folder } = await openTestStorage({ limits: { maxUploadBytes: 10 } });
    async function* broken() {
      yield Buffer.from('ab');
      throw new Error('gone');
    }
    const upload = (more: object) =>
      storage.upload(aliceCaller, { ...target('a'), body: bytesOf('abc'), ...more });
    await expect(upload({ body: broken() })).rejects.toThrow('gone');
    await expect(upload({ body: bytesOf('123456', '123456') })).rejects.toMatchObject({
      code: 'too-large',
    });
    await expect(upload({ md5Hash: '1B2M2Y8AsgTpgAmY7PhCfg==' })).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(namesOf(storage.bucket).length).toBe(0);
    expect(await filesIn(folder, 'files')).toEqual([]);
    expect(await filesIn(folder, 'parts')).toEqual([]);
  });
});

describe('the policy', () => {
  const recording = async (answer: (request: StorageAccessRequest) => boolean = () => true) => {
    const asked: StorageAccessRequest[] = [];
    const opened = await openTestStorage({
      policy: (request) => {
        asked.push(request);
        return answer(request);
      },
    });
    return { ...opened, asked };
  };

  it('is asked before the body with what was announced, and after it with what is true', async () => {
    const { storage, asked } = await recording();
    const upload = { ...target('a', { announcedSize: 2 }), body: bytesOf('hello') };
    await storage.upload(aliceCaller, upload);
    expect(asked).toMatchObject([
      {
        method: 'create',
        path: 'a',
        bucket: 'bucket',
        auth: aliceCaller,
        resource: null,
        newResource: {
          size: 2,
          md5Hash: null,
          settings: { contentType: 'application/octet-stream' },
        },
      },
      {
        method: 'create',
        newResource: { size: 5, md5Hash: 'XUFAKrxLKna5cZ2REBfFkg==', name: 'a', metageneration: 1 },
      },
    ]);
  });

  it('refuses before anything is read, and after with nothing stored', async () => {
    const early = await recording(() => false);
    let wasRead = false;
    async function* body() {
      wasRead = true;
      yield Buffer.from('x');
    }
    const silent = { ...target('a'), body: body() };
    await expect(early.storage.upload(aliceCaller, silent)).rejects.toMatchObject({
      code: 'denied',
    });
    const upload = { ...target('a', { announcedSize: 1 }), body: body() };
    await expect(early.storage.upload(aliceCaller, upload)).rejects.toMatchObject({
      code: 'denied',
    });
    expect(wasRead).toBe(false);

    const late = await recording(({ newResource }) => (newResource?.size ?? 0) < 3);
    const lying = { ...target('a', { announcedSize: 1 }), body: bytesOf('hello') };
    await expect(late.storage.upload(aliceCaller, lying)).rejects.toMatchObject({ code: 'denied' });
    expect(namesOf(late.storage.bucket).length).toBe(0);
    expect(await filesIn(late.folder, 'parts')).toEqual([]);
  });

  it('sees what is there and what will be', async () => {
    const { storage, asked } = await recording();
    const { generation } = await put(storage, 'a', 'x');
    asked.length = 0;
    await put(storage, 'a', 'y');
    await storage.bucket.update(aliceCaller, 'a', { metadata: { a: '1' } });
    storage.bucket.list(aliceCaller, {
      prefix: 'b/c/',
      delimiter: '/',
      maxResults: 1,
      after: null,
    });
    await storage.bucket.remove(aliceCaller, 'a');
    expect(asked).toMatchObject([
      { method: 'create', newResource: { size: 1, md5Hash: null } },
      { method: 'create', resource: { generation }, newResource: { metageneration: 1 } },
      {
        method: 'update',
        resource: { settings: { custom: new Map() } },
        newResource: { settings: { custom: new Map([['a', '1']]) }, metageneration: 2 },
      },
      { method: 'list', path: 'b/c', resource: null, newResource: null },
      { method: 'delete', path: 'a', resource: { metageneration: 2 }, newResource: null },
    ]);
  });

  it('that refuses does not tell whether there is an object', async () => {
    const { storage } = await recording(({ method }) => method === 'create');
    await put(storage, 'a', 'x');
    for (const name of ['a', 'none']) {
      const denied = { code: 'denied' };
      expect(() => storage.bucket.get(aliceCaller, name)).toThrow(expect.objectContaining(denied));
      await expect(storage.bucket.remove(aliceCaller, name)).rejects.toMatchObject(denied);
      await expect(storage.bucket.update(aliceCaller, name, {})).rejects.toMatchObject(denied);
      await expect(storage.bucket.open(null, name, 'guess')).rejects.toMatchObject(denied);
    }
  });
});
