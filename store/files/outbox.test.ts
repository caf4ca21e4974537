import { describe, expect, it, vi } from 'vitest';
import { cachedPictureId } from '../../schemas/local/file-bytes.ts';
import { md5Of } from '../../tests/support/fakes/memory-remote-files.ts';
import {
  bytesOf,
  onlyJob,
  openTestOutbox,
  pictureOf,
  textOf,
} from '../../tests/support/setups/test-outbox.ts';
import type { LocalPicture } from './outbox.ts';

const nowMs = 5_000;

describe('a chosen picture', () => {
  it('becomes one job with its bytes, which the screen shows at once', async () => {
    const outbox = await openTestOutbox({ now: () => nowMs, newId: () => 'token' });
    const bytes = bytesOf('picture');
    await outbox.addPicture({ petId: 'p1', bytes, contentType: 'image/png' });
    expect(await onlyJob(outbox)).toEqual({
      id: 'profile-picture:p1',
      kind: 'profile-picture',
      petId: 'p1',
      entryId: null,
      stage: 'queued',
      token: 'token',
      objectName: 'pets/p1/images/profile.png',
      contentType: 'image/png',
      byteLength: bytes.byteLength,
      md5: md5Of(bytes),
      createdAtMs: nowMs,
      replaces: [],
      seenStamp: nowMs,
      attempts: 0,
      nextAttemptAtMs: 0,
      code: null,
    });
    const shown = await outbox.readPicture('p1');
    expect(shown).toMatchObject({ contentType: 'image/png', md5: md5Of(bytes), isWaiting: true });
    expect(textOf(shown?.bytes)).toBe('picture');
    expect(await outbox.readPicture('p2')).toBeNull();
  });

  it('replaces a waiting one, whose bytes go, and whose hash its owner has seen', async () => {
    const outbox = await openTestOutbox({ now: () => nowMs });
    await outbox.addPicture({ ...pictureOf('p1', 'one'), replaces: ['server'] });
    const first = await onlyJob(outbox);
    await outbox.addPicture({ ...pictureOf('p1', 'two'), chosenAtMs: 1, replaces: ['seen'] });
    const second = await onlyJob(outbox);
    expect(second.replaces).toEqual(['seen', first.md5, 'server']);
    expect(second.token).not.toBe(first.token);
    expect(textOf((await outbox.readPicture('p1'))?.bytes)).toBe('two');
  });

  it.each([
    ['the dog shows none that its owner saw', { seenStamp: 0 }, 4],
    ['the dog shows one that its owner saw', { seenStamp: 9 }, 9],
    ['it is restored', {}, 4],
  ])(
    'O7.2 remembers the newest that was seen also if it replaces a waiting one and %s',
    async (_, seen, seenStamp) => {
      const outbox = await openTestOutbox({ now: () => nowMs });
      await outbox.addPicture({ ...pictureOf('p1', 'one'), seenStamp: 4 });
      await outbox.addPicture({ ...pictureOf('p1', 'two'), ...seen });
      expect((await onlyJob(outbox)).seenStamp).toBe(seenStamp);
    },
  );

  it('is later than the one it replaces, whatever the clock says', async () => {
    const outbox = await openTestOutbox({ now: () => nowMs });
    await outbox.addPicture(pictureOf('p1', 'one'));
    await outbox.addPicture({ ...pictureOf('p1', 'two'), chosenAtMs: 1 });
    expect((await onlyJob(outbox)).createdAtMs).toBe(nowMs + 1);
    await outbox.addPicture({ ...pictureOf('p1', 'three'), chosenAtMs: 9_000 });
    expect((await onlyJob(outbox)).createdAtMs).toBe(9_000);
  });

  it('of a type that the server refuses is refused at once', async () => {
    const outbox = await openTestOutbox();
    const gif = { ...pictureOf('p1'), contentType: 'image/gif' };
    await expect(outbox.addPicture(gif)).rejects.toThrow('image/gif');
    expect(await outbox.queue.list()).toEqual([]);
  });

  it('is stored together with what belongs to it', async () => {
    const outbox = await openTestOutbox();
    const recording = { id: 'e1', petId: 'p1', contentType: 'audio/webm', startedAtMs: 1 };
    await outbox.recordings.begin(recording);
    await outbox.addPicture(pictureOf('p1'), { recordings: ['e1'] });
    expect(await outbox.recordings.list()).toEqual([]);
    expect(await outbox.queue.list()).toHaveLength(1);
  });
});

describe('an uploaded picture', () => {
  it('moves to the cache, under the hash that it has on the server', async () => {
    const outbox = await openTestOutbox({ now: () => nowMs });
    await outbox.addPicture(pictureOf('p1', 'picture'));
    const job = await onlyJob(outbox);
    await outbox.keepUploadedPicture(job);
    expect(await outbox.queue.list()).toEqual([]);
    const shown = await outbox.readPicture('p1');
    expect(shown).toMatchObject({ md5: job.md5, contentType: 'image/jpeg', isWaiting: false });
    expect(textOf(shown?.bytes)).toBe('picture');
    expect(await outbox.caches.pictures()).toMatchObject([
      { id: cachedPictureId('p1'), documentId: 'p1' },
    ]);
    expect(await outbox.caches.picture('p1')).toMatchObject({ usedAtMs: nowMs });
  });

  it('without bytes on this device ends its job, and leaves the cache as it is', async () => {
    const outbox = await openTestOutbox();
    const older = { bytes: bytesOf('older'), contentType: 'image/jpeg', md5: 'older' };
    await outbox.caches.keepPicture('p1', older);
    await outbox.addPicture(pictureOf('p1'));
    const job = await onlyJob(outbox);
    // Another name for its bytes stands for bytes that the browser has lost.
    await outbox.queue.move(job, { md5: 'lost' });
    await outbox.keepUploadedPicture(await onlyJob(outbox));
    expect(await outbox.queue.list()).toEqual([]);
    expect(textOf((await outbox.readPicture('p1'))?.bytes)).toBe('older');
  });
});

it('the waiting picture of a lost file is not shown, but the cached one', async () => {
  const outbox = await openTestOutbox();
  const older = { bytes: bytesOf('older'), contentType: 'image/webp', md5: 'older' };
  await outbox.caches.keepPicture('p1', older);
  await outbox.addPicture(pictureOf('p1'));
  await outbox.queue.move(await onlyJob(outbox), { md5: 'lost' });
  expect(await outbox.readPicture('p1')).toMatchObject({ md5: 'older', isWaiting: false });
});

it('a pet that is gone leaves neither job nor picture', async () => {
  const outbox = await openTestOutbox();
  const cached = { bytes: bytesOf('cached'), contentType: 'image/jpeg', md5: 'cached' };
  await outbox.caches.keepPicture('p1', cached);
  await outbox.addPicture(pictureOf('p1'));
  const job = await onlyJob(outbox);
  const recording = { id: 'e1', petId: 'p1', contentType: 'audio/webm', startedAtMs: 1 };
  await outbox.recordings.begin(recording);
  await outbox.dropPicture(job, { recordings: ['e1'] });
  expect(await outbox.queue.list()).toEqual([]);
  expect(await outbox.readPicture('p1')).toBeNull();
  expect(await outbox.queue.readBytes(job)).toBeNull();
  expect(await outbox.recordings.list()).toEqual([]);
});

it('a watched picture is told again when it is chosen and when it is uploaded, not for other pets', async () => {
  const outbox = await openTestOutbox();
  const seen: (LocalPicture | null)[] = [];
  const errors: unknown[] = [];
  const watching = outbox.watchPicture('p1').subscribe({
    next: (picture) => void seen.push(picture),
    error: (error) => void errors.push(error),
  });
  await vi.waitFor(() => expect(seen).toEqual([null]));
  await outbox.addPicture(pictureOf('p2'));
  await outbox.addPicture(pictureOf('p1', 'mine'));
  await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ isWaiting: true }));
  const [job] = (await outbox.queue.list()).filter(({ petId }) => petId === 'p1');
  if (job) await outbox.keepUploadedPicture(job);
  await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ isWaiting: false }));
  watching.unsubscribe();
  expect(textOf(seen.at(-1)?.bytes)).toBe('mine');
  expect(errors).toEqual([]);
});
