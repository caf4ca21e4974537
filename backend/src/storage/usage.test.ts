import { describe, expect, it, vi } from 'vitest';
import { admin } from '../caller.ts';
import { eventually } from '../../tests/support/eventually.ts';
import {
  aliceCaller,
  bobCaller,
  bytesOf,
  hangingBody,
  namesOf,
  openTestStorage,
  piece,
  put,
  target,
  type TestStorage,
} from '../../tests/support/test-storage.ts';

const removeAll = async ({ bucket }: TestStorage) => {
  for (const name of namesOf(bucket)) await bucket.remove(admin, name);
};

const overQuota = { code: 'over-quota' };

describe('the files of an owner', () => {
  it('are refused above their number, with a sentence, and nobody else notices', async () => {
    const { storage } = await openTestStorage({ limits: { maxFilesPerOwner: 1 } });
    await put(storage, 'a', 'hello');
    await expect(put(storage, 'b', 'hello')).rejects.toMatchObject({
      ...overQuota,
      message: 'An owner can have at most 1 files.',
    });
    await expect(storage.resumable.start(aliceCaller, target('b'))).rejects.toMatchObject(
      overQuota,
    );
    await storage.upload(bobCaller, { ...target('b'), body: bytesOf('hello') });
    for (const name of ['c', 'd']) {
      await storage.upload(admin, { ...target(name), body: bytesOf('hello') });
    }
    await storage.bucket.remove(aliceCaller, 'a');
    await put(storage, 'e', 'hello');
  });

  it('are refused above their bytes, before they are taken where the size is announced', async () => {
    const { storage } = await openTestStorage({ limits: { maxFileBytesPerOwner: 10 } });
    await put(storage, 'a', 'hello');
    let isTaken = false;
    async function* body() {
      isTaken = true;
      yield Buffer.from('hello!');
    }
    const upload = { ...target('b'), body: body(), announcedSize: 6 };
    await expect(storage.upload(aliceCaller, upload)).rejects.toMatchObject(overQuota);
    expect(isTaken).toBe(false);
    await expect(put(storage, 'b', 'hello!')).rejects.toMatchObject(overQuota);
    await put(storage, 'b', 'hello');
    await removeAll(storage);
    await put(storage, 'c', 'hello you!');
  });

  it('are counted with the parts of uploads that are not finished, also after a restart', async () => {
    const limits = { maxFileBytesPerOwner: 10 };
    const { storage, ...rest } = await openTestStorage({ limits });
    const { id } = await storage.resumable.start(aliceCaller, target('a'));
    await storage.resumable.write(aliceCaller, id, piece('hello', 0));
    await expect(put(storage, 'b', 'hello!')).rejects.toMatchObject(overQuota);
    const again = (await openTestStorage({ ...rest, limits })).storage;
    await expect(put(again, 'b', 'hello!')).rejects.toMatchObject(overQuota);
    const more = again.resumable.write(aliceCaller, id, piece(' and more', 5));
    await expect(more).rejects.toMatchObject(overQuota);
    await again.resumable.write(aliceCaller, id, piece(' you!', 5, true));
    await expect(put(again, 'b', 'x')).rejects.toMatchObject(overQuota);
    await again.bucket.remove(aliceCaller, 'a');
    const { id: next } = await again.resumable.start(aliceCaller, target('b'));
    await again.resumable.write(aliceCaller, next, piece('hello you!', 0));
    await again.resumable.cancel(aliceCaller, next);
    await put(again, 'b', 'hello you!');
  });

  it('are counted while they come', async () => {
    const { storage } = await openTestStorage({ limits: { maxFileBytesPerOwner: 10 } });
    const { id } = await storage.resumable.start(aliceCaller, target('a'));
    const written = new AbortController();
    const hanging = hangingBody('hello you');
    async function* watched() {
      for await (const each of hanging.bytes) {
        yield each;
        // The next piece is requested once this one is on the disk.
        written.abort();
      }
    }
    const body = { bytes: watched(), abort: () => hanging.abort() };
    const writing = storage.resumable.write(aliceCaller, id, { offset: 0, isLast: true, body });
    const outcome = writing.catch((error: unknown) => error);
    await eventually(() => expect(written.signal.aborted).toBe(true));
    await expect(put(storage, 'b', 'hello you')).rejects.toMatchObject(overQuota);
    hanging.abort();
    expect(await outcome).toMatchObject({ code: 'interrupted' });
  });

  it('are counted from the arrival of their bytes until they are stored', async () => {
    const { storage, store } = await openTestStorage({ limits: { maxFileBytesPerOwner: 10 } });
    const { id } = await storage.resumable.start(aliceCaller, target('c'));
    const write = vi.spyOn(store, 'write');
    const disk = store.hold();
    const putting = put(storage, 'a', 'hello');
    await eventually(() => expect(write).toHaveBeenCalledTimes(1));
    await expect(put(storage, 'b', 'hello!')).rejects.toMatchObject(overQuota);
    const writing = storage.resumable.write(aliceCaller, id, piece('hello', 0));
    await eventually(() => expect(write).toHaveBeenCalledTimes(2));
    await expect(put(storage, 'b', 'x')).rejects.toMatchObject(overQuota);
    disk.release();
    await Promise.all([putting, writing]);
    await removeAll(storage);
    await put(storage, 'b', 'hello');
  });

  it('are at most as many as they may be, though several uploads begin at the same time', async () => {
    const { storage } = await openTestStorage({ limits: { maxFilesPerOwner: 2 } });
    const names = ['a', 'b', 'c'];
    const uploads = await Promise.allSettled(names.map((name) => put(storage, name, 'hello')));
    expect(uploads.map((each) => each.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    await removeAll(storage);
    const { resumable } = storage;
    const started = await Promise.allSettled(
      names.map((name) => resumable.start(aliceCaller, target(name))),
    );
    expect(started.map((each) => each.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    await expect(resumable.start(aliceCaller, target('c'))).rejects.toMatchObject(overQuota);
  });

  it('are counted again when they are overwritten, for who did it', async () => {
    const { storage, store } = await openTestStorage({ limits: { maxFilesPerOwner: 1 } });
    await put(storage, 'a', 'hello');
    await storage.upload(bobCaller, { ...target('a'), body: bytesOf('bye') });
    await put(storage, 'b', 'hello');
    await removeAll(storage);
    expect([...store.content.keys()]).toEqual([]);
  });
});

describe('a disk without room', () => {
  it('takes no bytes, and what is there can be read and deleted', async () => {
    let reason: string | null = null;
    const { storage } = await openTestStorage({ shortage: () => reason });
    await put(storage, 'a', 'hello');
    const { id } = await storage.resumable.start(aliceCaller, target('b'));
    reason = 'The disk is full.';
    const refused = { code: 'no-room', message: 'The disk is full.' };
    await expect(put(storage, 'c', 'hello')).rejects.toMatchObject(refused);
    await expect(storage.resumable.start(aliceCaller, target('c'))).rejects.toMatchObject(refused);
    const writing = storage.resumable.write(aliceCaller, id, piece('hello', 0));
    await expect(writing).rejects.toMatchObject(refused);
    expect(storage.bucket.get(aliceCaller, 'a').size).toBe(5);
    await storage.bucket.remove(aliceCaller, 'a');
    reason = null;
    await storage.resumable.write(aliceCaller, id, piece('hello', 0, true));
  });
});
