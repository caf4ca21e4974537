import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  onlyJob,
  openTestOutbox,
  pictureOf,
  textOf,
} from '../../tests/support/test-outbox.ts';
import type { LocalPicture } from './outbox.ts';
import type { Watchable } from './outbox-queue.ts';

function kept(petId: string, text: string) {
  return { petId, bytes: bytesOf(text), contentType: 'image/jpeg', md5: `md5 of ${text}` };
}

function firstOf(watchable: Watchable<LocalPicture | null>): Promise<LocalPicture | null> {
  return new Promise((resolve, reject) => {
    watchable.subscribe({ next: resolve, error: reject });
  });
}

describe('pictures kept on the device', () => {
  it('O4.3 those go first that were not looked at for longest', async () => {
    let nowMs = 1;
    const { pictures } = openTestOutbox({ now: () => nowMs, pictureCacheMaxBytes: 12 });
    for (const petId of ['a', 'b', 'c']) {
      await pictures.keep(kept(petId, '1234'));
      nowMs += 1;
    }
    await pictures.touch('a');
    nowMs += 1;
    await pictures.keep(kept('d', '1234'));
    const left = await Promise.all(['a', 'b', 'c', 'd'].map((petId) => pictures.get(petId)));
    expect(left.map((picture) => picture?.petId ?? null)).toEqual(['a', null, 'c', 'd']);
  });

  it('O4.3 one that is larger than the whole cache is not kept, and the limit holds', async () => {
    const { pictures } = openTestOutbox({ pictureCacheMaxBytes: 3 });
    await pictures.keep(kept('a', '1234'));
    expect(await pictures.get('a')).toBeNull();
  });

  it('O4.1 a picture on its way is shown before the one that the server has', async () => {
    const outbox = openTestOutbox();
    await outbox.pictures.keep(kept('p1', 'old'));
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
});
