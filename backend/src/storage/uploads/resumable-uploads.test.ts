import { readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import {
  aliceCaller,
  bobCaller,
  hangingBody,
  namesOf,
  openTestStorage,
  piece,
  put,
  target,
  textOf,
  type TestStorage,
} from '../../../tests/support/test-storage.ts';

const start = async (storage: TestStorage, more = {}) =>
  (await storage.resumable.start(aliceCaller, target('a', more))).id;

const active = (received: number) => ({ received, finished: null });

describe('an upload in pieces', () => {
  it('is put together, also with an empty last piece', async () => {
    const { storage } = await openTestStorage();
    const { resumable } = storage;
    const id = await start(storage, { announcedSize: 11 });
    expect(await resumable.write(aliceCaller, id, piece('hello ', 0))).toEqual(active(6));
    expect(await resumable.write(aliceCaller, id, piece('world', 6))).toEqual(active(11));
    expect(namesOf(storage.bucket).length).toBe(0);
    const { finished } = await resumable.write(aliceCaller, id, piece('', null, true));
    expect(finished).toMatchObject({ name: 'a', size: 11, md5Hash: 'XrY7u+Ae7tCTyyK7j1rNww==' });
    expect(await textOf(storage, 'a')).toBe('hello world');
  });

  it('goes on after a restart where it was', async () => {
    const { storage, ...rest } = await openTestStorage();
    const id = await start(storage);
    await storage.resumable.write(aliceCaller, id, piece('hello ', 0));
    await storage.stop();
    const again = (await openTestStorage(rest)).storage;
    expect(await again.resumable.query(aliceCaller, id)).toEqual(active(6));
    await again.resumable.write(aliceCaller, id, piece('world', 6, true));
    expect(await textOf(again, 'a')).toBe('hello world');
  });

  it('after a crash has what was acknowledged; what was not is written again', async () => {
    const { storage, store, ...rest } = await openTestStorage();
    const id = await start(storage);
    await storage.resumable.write(aliceCaller, id, piece('hello ', 0));
    // The piece is on the disk without its record, as after a kill.
    const copy = createMemoryStore();
    for (const [key, value] of store.content) copy.content.set(key, value);
    await storage.resumable.write(aliceCaller, id, piece('garbage', 6));
    const again = (await openTestStorage({ ...rest, store: copy })).storage;
    expect(await again.resumable.query(aliceCaller, id)).toEqual(active(6));
    await again.resumable.write(aliceCaller, id, piece('you', 6, true));
    expect(await textOf(again, 'a')).toBe('hello you');
  });

  it('that crashed while it was finished can be finished', async () => {
    const { storage, store, ...rest } = await openTestStorage();
    const id = await start(storage);
    await storage.resumable.write(aliceCaller, id, piece('hello', 0));
    const copy = createMemoryStore();
    for (const [key, value] of store.content) copy.content.set(key, value);
    store.fail();
    // There is nothing more to append, so the first write that fails is the record of the object.
    await expect(storage.resumable.write(aliceCaller, id, piece('', 5, true))).rejects.toThrow(
      'full',
    );
    const again = (await openTestStorage({ ...rest, store: copy })).storage;
    expect(namesOf(again.bucket).length).toBe(0);
    expect(await again.resumable.query(aliceCaller, id)).toEqual(active(5));
    await again.resumable.write(aliceCaller, id, piece('', 5, true));
    expect(await textOf(again, 'a')).toBe('hello');
  });

  it.each([
    ['all', (part: string) => rm(part)],
    ['some', (part: string) => truncate(part, 3)],
  ])('of whose bytes %s are lost is forgotten', async (_which, lose) => {
    const { storage, ...rest } = await openTestStorage();
    const id = await start(storage);
    await storage.resumable.write(aliceCaller, id, piece('hello', 0));
    await lose(join(rest.folder, 'parts', id));
    const again = (await openTestStorage(rest)).storage;
    await expect(again.resumable.query(aliceCaller, id)).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('refuses a piece at the wrong offset and says the right one', async () => {
    const { storage } = await openTestStorage();
    const id = await start(storage);
    await storage.resumable.write(aliceCaller, id, piece('hello', 0));
    for (const offset of [0, 4, 6]) {
      const writing = storage.resumable.write(aliceCaller, id, piece('x', offset, true));
      await expect(writing).rejects.toMatchObject({ code: 'invalid', received: 5 });
    }
    expect(await storage.resumable.query(aliceCaller, id)).toEqual(active(5));
  });

  it('refuses more and fewer bytes than were announced, and goes on', async () => {
    const { storage, folder } = await openTestStorage();
    const id = await start(storage, { announcedSize: 5 });
    const { resumable } = storage;
    const invalid = { code: 'invalid' };
    await expect(resumable.write(aliceCaller, id, piece('hel', 0, true))).rejects.toMatchObject(
      invalid,
    );
    await expect(resumable.write(aliceCaller, id, piece('lo!', 3, true))).rejects.toMatchObject(
      invalid,
    );
    expect(await resumable.query(aliceCaller, id)).toEqual(active(3));
    await resumable.write(aliceCaller, id, piece('lo', 3, true));
    expect(await textOf(storage, 'a')).toBe('hello');
    await expect(readFile(join(folder, 'parts', id))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('has the limit of an upload', async () => {
    const { storage } = await openTestStorage({ limits: { maxUploadBytes: 5 } });
    await expect(start(storage, { announcedSize: 6 })).rejects.toMatchObject({ code: 'too-large' });
    const id = await start(storage);
    await storage.resumable.write(aliceCaller, id, piece('hel', 0));
    const writing = storage.resumable.write(aliceCaller, id, piece('lo!', 3));
    await expect(writing).rejects.toMatchObject({ code: 'too-large' });
  });

  it.each(['too-large', 'over-quota', 'no-room'])(
    'keeps no bytes of a piece that is refused midway: %s',
    async (code) => {
      let reason: string | null = null;
      const limits = {
        maxUploadBytes: code === 'too-large' ? 5 : 100,
        maxFileBytesPerOwner: code === 'over-quota' ? 5 : 100,
      };
      const { storage, folder } = await openTestStorage({ limits, shortage: () => reason });
      const id = await start(storage);
      await storage.resumable.write(aliceCaller, id, piece('hel', 0));
      async function* bytes() {
        yield Buffer.from('lo');
        if (code === 'no-room') reason = 'The disk is full.';
        yield Buffer.from('!');
      }
      const body = { bytes: bytes(), abort: () => undefined };
      const writing = storage.resumable.write(aliceCaller, id, { offset: 3, isLast: false, body });
      await expect(writing).rejects.toMatchObject({ code });
      expect(await readFile(join(folder, 'parts', id), 'utf8')).toBe('hel');
    },
  );

  it('keeps the received bytes of an interrupted piece', async () => {
    const { storage } = await openTestStorage();
    const id = await start(storage);
    const body = hangingBody('hel');
    const writing = storage.resumable.write(aliceCaller, id, { offset: 0, isLast: true, body });
    body.abort();
    await expect(writing).rejects.toMatchObject({ code: 'interrupted' });
    expect(await storage.resumable.query(aliceCaller, id)).toEqual(active(3));
    expect(namesOf(storage.bucket).length).toBe(0);
  });

  it('is not held up by a request that hangs: a newer one takes over', async () => {
    const { storage } = await openTestStorage();
    const id = await start(storage);
    const hanging = storage.resumable.write(aliceCaller, id, {
      offset: 0,
      isLast: true,
      body: hangingBody('hel'),
    });
    const outcome = hanging.catch((error: unknown) => error);
    const { received } = await storage.resumable.query(aliceCaller, id);
    expect(await outcome).toMatchObject({ code: 'interrupted' });
    await storage.resumable.write(aliceCaller, id, piece('hello'.slice(received), received, true));
    expect(await textOf(storage, 'a')).toBe('hello');
  });

  it('is finished once; who asks again gets the same answer, also after a restart', async () => {
    const { storage, ...rest } = await openTestStorage();
    const id = await start(storage);
    const last = () => piece('hello', 0, true);
    const answers = await Promise.allSettled([
      storage.resumable.write(aliceCaller, id, last()),
      storage.resumable.write(aliceCaller, id, last()),
    ]);
    const finished = storage.bucket.peek('a');
    expect(answers.at(-1)).toMatchObject({ value: { received: 5, finished } });
    const again = (await openTestStorage(rest)).storage;
    expect(await again.resumable.query(aliceCaller, id)).toEqual({ received: 5, finished });
    expect(await again.resumable.write(aliceCaller, id, last())).toEqual({ received: 5, finished });
    await put(again, 'a', 'other');
    await expect(again.resumable.query(aliceCaller, id)).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('leaves nothing on the disk once its object is removed', async () => {
    const { storage, store } = await openTestStorage();
    const id = await start(storage);
    await storage.resumable.write(aliceCaller, id, piece('hello', 0, true));
    await storage.bucket.remove(aliceCaller, 'a');
    expect([...store.content.keys()]).toEqual([]);
  });

  it('is not dropped for its age while it is continued', async () => {
    const { storage, clock } = await openTestStorage();
    const id = await start(storage);
    await storage.resumable.write(aliceCaller, id, piece('hel', 0));
    clock.advance(1000);
    const writing = storage.resumable.write(aliceCaller, id, piece('lo', 3));
    await storage.resumable.sweep(clock.now());
    await writing;
    expect(await storage.resumable.query(aliceCaller, id)).toEqual(active(5));
  });

  it('is swept with a page of others, and other work comes between the pages', async () => {
    const { storage, store, clock } = await openTestStorage();
    for (let at = 0; at < 250; at++) await start(storage);
    const range = vi.spyOn(store, 'range');
    const pages = () => range.mock.results.map(({ value }) => Array.from(value).length);
    const before = new Promise((resolve) => setImmediate(() => resolve(pages())));
    await storage.resumable.sweep(clock.now());
    expect(await before).toEqual([100]);
    expect(pages()).toEqual([100, 100, 50]);
  });

  it('belongs to who started it', async () => {
    const { storage } = await openTestStorage();
    const id = await start(storage);
    const { resumable } = storage;
    for (const user of [bobCaller, null]) {
      const denied = { code: 'denied' };
      await expect(resumable.query(user, id)).rejects.toMatchObject(denied);
      await expect(resumable.write(user, id, piece('x', 0))).rejects.toMatchObject(denied);
      await expect(resumable.cancel(user, id)).rejects.toMatchObject(denied);
    }
    await expect(resumable.query(aliceCaller, 'guess')).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('is authorized at its start and at its end, on what is true then', async () => {
    let isOwner = true;
    const { storage, folder } = await openTestStorage({ policy: () => isOwner });
    const id = await start(storage, { announcedSize: 5 });
    isOwner = false;
    await expect(start(storage, { announcedSize: 5 })).rejects.toMatchObject({ code: 'denied' });
    const writing = storage.resumable.write(aliceCaller, id, piece('hello', 0, true));
    await expect(writing).rejects.toMatchObject({ code: 'denied' });
    await expect(storage.resumable.query(aliceCaller, id)).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(readFile(join(folder, 'parts', id))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('can be canceled, but not when it is finished', async () => {
    const { storage } = await openTestStorage();
    const { resumable } = storage;
    const id = await start(storage);
    await resumable.write(aliceCaller, id, piece('hello', 0));
    await resumable.cancel(aliceCaller, id);
    await expect(resumable.query(aliceCaller, id)).rejects.toMatchObject({ code: 'not-found' });
    const next = await start(storage);
    await resumable.write(aliceCaller, next, piece('hello', 0, true));
    await expect(resumable.cancel(aliceCaller, next)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('is refused above 1,000 of an owner, also if they are started at the same time', async () => {
    const { storage } = await openTestStorage();
    const starts = await Promise.allSettled(Array.from({ length: 1001 }, () => start(storage)));
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1000);
    await expect(start(storage)).rejects.toMatchObject({ code: 'too-many' });
    await storage.resumable.start(bobCaller, target('a'));
  });
});
