import { expect, it, vi } from 'vitest';
import { createFakeClock } from '../../../tests/support/fakes/fake-clock.ts';
import { deferred } from '../../../tests/support/fakes/fake-data.ts';
import type { FetchedFile } from '../../../store/files/file-caches.ts';
import type { PicturedPet } from './files.ts';
import { createPictureFetcher, type PictureFetcherDeps } from './picture-fetcher.ts';

const picture = (md5: string): FetchedFile => ({
  bytes: new ArrayBuffer(1),
  contentType: 'image/jpeg',
  md5,
});

const pet = (profilePictureVersion: string, id = 'p'): PicturedPet => ({
  id,
  fields: { profilePicturePath: 'path', profilePictureVersion },
});

function setUp() {
  const clock = createFakeClock();
  const download = vi.fn<PictureFetcherDeps['download']>(async () => picture('1'));
  const kept: string[] = [];
  const keepPicture = vi.fn<PictureFetcherDeps['outbox']['caches']['keepPicture']>(
    async (_, { md5 }) => void kept.push(md5),
  );
  let tell: (isOnline: boolean) => void = () => undefined;
  const unwatch = vi.fn<() => void>();
  const fetcher = createPictureFetcher({
    outbox: { caches: { keepPicture } },
    download,
    watchOnline: (onChange) => {
      tell = onChange;
      return unwatch;
    },
    after: (delayMs, run) => clock.after(delayMs, run),
  });
  return {
    clock,
    download,
    keepPicture,
    kept,
    fetcher,
    unwatch,
    tell: (isOnline: boolean) => tell(isOnline),
  };
}

it('fetches each version once, and a version that comes back again', async () => {
  const { clock, download, fetcher } = setUp();
  for (const version of ['1', '1', '2', '2', '1']) {
    fetcher.want(pet(version));
    await clock.settle();
  }
  expect(download).toHaveBeenCalledTimes(3);
});

it('does not ask twice for a version that is not that of the file', async () => {
  const { clock, download, kept, fetcher } = setUp();
  fetcher.want(pet('another'));
  await clock.settle();
  fetcher.want(pet('another'));
  await clock.settle();
  expect(download).toHaveBeenCalledTimes(1);
  expect(kept).toEqual(['1']);
});

it('never replaces a newer version by an older one', async () => {
  const { clock, download, kept, fetcher } = setUp();
  const slow = deferred<FetchedFile | null>();
  download.mockImplementationOnce(() => slow.promise).mockResolvedValueOnce(picture('2'));
  fetcher.want(pet('1'));
  fetcher.want(pet('2'));
  await clock.settle();
  slow.resolve(picture('1'));
  await clock.settle();
  expect(kept).toEqual(['2']);
});

it('tries a newer version again, although an older one fails after it', async () => {
  const { clock, download, kept, fetcher, tell } = setUp();
  const slow = deferred<FetchedFile | null>();
  download
    .mockImplementationOnce(() => slow.promise)
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValueOnce(picture('2'));
  fetcher.want(pet('1'));
  fetcher.want(pet('2'));
  await clock.settle();
  slow.reject(new Error('offline'));
  await clock.settle();
  tell(true);
  await clock.settle();
  expect(kept).toEqual(['2']);
});

it('tries again with the connection, or after a minute', async () => {
  const { clock, download, kept, fetcher, tell } = setUp();
  download.mockRejectedValueOnce(new Error('offline')).mockRejectedValueOnce(new Error('offline'));
  fetcher.want(pet('1'));
  await clock.settle();
  tell(false);
  await clock.settle();
  expect(download).toHaveBeenCalledTimes(1);
  tell(true);
  await clock.settle();
  expect(download).toHaveBeenCalledTimes(2);
  expect(kept).toEqual([]);
  await clock.advance(60_000);
  expect(kept).toEqual(['1']);
  tell(true);
  await clock.advance(60_000);
  expect(download).toHaveBeenCalledTimes(3);
});

it('fetches a picture that a full device cannot store only once', async () => {
  const { clock, download, keepPicture, fetcher, tell } = setUp();
  keepPicture.mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
  fetcher.want(pet('1'));
  await clock.settle();
  for (let minute = 0; minute < 60; minute += 1) await clock.advance(60_000);
  tell(true);
  await clock.settle();
  expect(keepPicture).toHaveBeenCalledOnce();
  expect(download).toHaveBeenCalledOnce();
});

it('ends with the session', async () => {
  const { clock, download, fetcher, unwatch } = setUp();
  download.mockRejectedValue(new Error('aborted'));
  fetcher.want(pet('1'));
  fetcher.close();
  await clock.advance(120_000);
  expect(download).toHaveBeenCalledTimes(1);
  expect(unwatch).toHaveBeenCalledOnce();
});

it('tries nothing again after the session, however many downloads failed in it', async () => {
  const { clock, download, fetcher } = setUp();
  download.mockRejectedValue(new Error('offline'));
  for (const id of ['p', 'q']) fetcher.want(pet('1', id));
  await clock.settle();
  fetcher.close();
  await clock.advance(120_000);
  expect(download).toHaveBeenCalledTimes(2);
});

it('keeps nothing if the server does not have the picture, and asks for its path', async () => {
  const { clock, download, kept, fetcher } = setUp();
  download.mockResolvedValue(null);
  fetcher.want(pet('1'));
  await clock.advance(120_000);
  expect(download).toHaveBeenCalledExactlyOnceWith('path');
  expect(kept).toEqual([]);
});
