import { describe, expect, it } from 'vitest';
import { md5Of } from '../../tests/support/fakes/memory-remote-files.ts';
import {
  bytesOf,
  onlyJob,
  openTestOutbox,
  pictureOf,
  textOf,
} from '../../tests/support/setups/test-outbox.ts';
import type { Watchable } from '../file-store.ts';
import type { LocalPicture } from './outbox.ts';

function file(text: string) {
  const bytes = bytesOf(text);
  return { bytes, contentType: 'image/jpeg', md5: md5Of(bytes) };
}

function firstOf(watchable: Watchable<LocalPicture | null>): Promise<LocalPicture | null> {
  return new Promise((resolve, reject) => {
    watchable.subscribe({ next: resolve, error: reject });
  });
}

/** A clock that advances by a millisecond with each reading. */
function tickingClock(): () => number {
  let nowMs = 0;
  return () => (nowMs += 1);
}

describe('pictures kept on the device', () => {
  it('O4.3 the least recently used pictures are evicted first', async () => {
    const { caches } = await openTestOutbox({ now: tickingClock(), pictureCacheMaxBytes: 12 });
    for (const petId of ['a', 'b', 'c']) await caches.keepPicture(petId, file('1234'));
    await caches.use('cached-picture:a');
    await caches.keepPicture('d', file('1234'));
    const left = await Promise.all(['a', 'b', 'c', 'd'].map((petId) => caches.picture(petId)));
    expect(left.map((picture) => picture?.documentId ?? null)).toEqual(['a', null, 'c', 'd']);
  });

  it('O4.3 one that is larger than the whole cache is not kept, and the limit holds', async () => {
    const { caches } = await openTestOutbox({ pictureCacheMaxBytes: 3 });
    await caches.keepPicture('a', file('1234'));
    expect(await caches.picture('a')).toBeNull();
  });

  it('O4.1 a picture on its way is shown before the one that the server has', async () => {
    const outbox = await openTestOutbox();
    await outbox.caches.keepPicture('p1', file('old'));
    expect(await firstOf(outbox.watchPicture('p1'))).toMatchObject({ isWaiting: false });
    await outbox.addPicture(pictureOf('p1', 'new'));
    const shown = await firstOf(outbox.watchPicture('p1'));
    expect(shown).toMatchObject({ isWaiting: true, contentType: 'image/jpeg' });
    expect(textOf(shown?.bytes)).toBe('new');
    await outbox.keepUploadedPicture(await onlyJob(outbox));
    const after = await firstOf(outbox.watchPicture('p1'));
    expect(after).toMatchObject({ isWaiting: false });
    expect(textOf(after?.bytes)).toBe('new');
  });

  it('O4.3 a pending picture is never evicted however large it is, and does not count against the limit', async () => {
    const outbox = await openTestOutbox({ pictureCacheMaxBytes: 4, audioCacheMaxBytes: 0 });
    await outbox.addPicture(pictureOf('p1', 'large, and here alone'));
    const recording = { id: 'e1', petId: 'p1', contentType: 'audio/webm', startedAtMs: 1 };
    await outbox.recordings.begin(recording);
    const piece = { recordingId: 'e1', index: 0, bytes: bytesOf('here alone'), untilMs: 1 };
    await outbox.recordings.append(piece);
    await outbox.recordings.finish('e1');
    await outbox.caches.keepPicture('p2', file('1234'));
    expect(textOf((await outbox.caches.picture('p2'))?.bytes)).toBe('1234');
    const bytes = (await outbox.queue.list()).map((job) => outbox.queue.readBytes(job));
    const texts = new Set((await Promise.all(bytes)).map(textOf));
    expect(texts).toEqual(new Set(['here alone', 'large, and here alone']));
  });
});

describe('recordings kept on the device', () => {
  it('O4.6 the least recently used recordings above the limit are evicted', async () => {
    const { caches } = await openTestOutbox({ now: tickingClock(), audioCacheMaxBytes: 8 });
    await caches.keepRecording('e1', 'one', file('1111'));
    await caches.keepRecording('e2', 'two', file('2222'));
    await caches.use('one');
    await caches.keepRecording('e3', 'three', file('3333'));
    expect(await caches.recording('two')).toBeNull();
    expect(textOf((await caches.recording('one'))?.bytes)).toBe('1111');
    expect(textOf((await caches.recording('three'))?.bytes)).toBe('3333');
  });

  it('O4.6 one that is too large for it pushes nothing out', async () => {
    const { caches } = await openTestOutbox({ now: tickingClock(), audioCacheMaxBytes: 8 });
    await caches.keepRecording('e1', 'one', file('1111'));
    await caches.keepRecording('e2', 'large', file('123456789'));
    expect(await caches.recording('large')).toBeNull();
  });
});
