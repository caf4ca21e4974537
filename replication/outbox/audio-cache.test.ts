import { describe, expect, it } from 'vitest';
import { bytesOf, openTestOutbox, textOf } from '../../tests/support/test-outbox.ts';

const audio = (objectName: string, text: string) => ({
  objectName,
  entryId: `entry of ${objectName}`,
  contentType: 'audio/webm',
  bytes: bytesOf(text),
});

describe('the cache of recordings', () => {
  it('O4.6 beyond its limit those go that were not heard for longest', async () => {
    let nowMs = 0;
    const now = () => (nowMs += 1);
    const { audios } = openTestOutbox({ now, audioCacheMaxBytes: 8 });
    await audios.keep(audio('one', '1111'));
    await audios.keep(audio('two', '2222'));
    expect(textOf((await audios.use('one'))?.bytes)).toBe('1111');
    await audios.keep(audio('three', '3333'));
    expect(await audios.use('two')).toBeNull();
    expect(textOf((await audios.use('one'))?.bytes)).toBe('1111');
    expect(textOf((await audios.use('three'))?.bytes)).toBe('3333');
  });

  it('O4.6 one that is too large for it pushes nothing out', async () => {
    let nowMs = 0;
    const now = () => (nowMs += 1);
    const { audios } = openTestOutbox({ now, audioCacheMaxBytes: 8 });
    await audios.keep(audio('one', '1111'));
    await audios.keep(audio('large', '123456789'));
    expect(await audios.use('large')).toBeNull();
  });
});
