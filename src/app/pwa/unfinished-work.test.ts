import { describe, expect, it } from 'vitest';
import { createFakeClock, settlePromises } from '../../../tests/support/fakes/fake-clock.ts';
import { createMemoryChannels } from '../../../tests/support/fakes/memory-channels.ts';
import { isSomethingWritten, watchUnfinishedWork, type UnfinishedWork } from './unfinished-work.ts';

function setUp(works: readonly (UnfinishedWork | null)[]) {
  const openChannel = createMemoryChannels();
  const clock = createFakeClock();
  const [ask] = works.map((work) =>
    watchUnfinishedWork({ channel: openChannel('work'), clock, find: async () => work }),
  );
  return async () => {
    const found = ask?.();
    await settlePromises();
    await clock.advance(400);
    return found;
  };
}

describe('unfinished work', () => {
  it('is null if no tab has any', async () => {
    expect(await setUp([null, null, null])()).toBeNull();
  });

  it('is that of this tab, or of any other', async () => {
    expect(await setUp(['writing', null])()).toBe('writing');
    expect(await setUp([null, null, 'recording'])()).toBe('recording');
  });

  it('is looked for anew each time', async () => {
    const works: (UnfinishedWork | null)[] = [null, 'sending'];
    const openChannel = createMemoryChannels();
    const clock = createFakeClock();
    const [ask] = works.map((_, index) =>
      watchUnfinishedWork({
        channel: openChannel('work'),
        clock,
        find: async () => works[index] ?? null,
      }),
    );
    const askNow = async () => {
      const found = ask?.();
      await settlePromises();
      await clock.advance(400);
      return found;
    };
    expect(await askNow()).toBe('sending');
    works[1] = null;
    expect(await askNow()).toBeNull();
  });
});

describe('a page', () => {
  it.each([
    ['<textarea>half a note</textarea>', true],
    ['<input type="text" value="Bram">', true],
    ['<textarea> \n</textarea><input type="text" value="">', false],
    ['<input type="checkbox" value="on" checked><input type="file">', false],
  ])('%s has something written: %s', (html, expected) => {
    document.body.innerHTML = html;
    expect(isSomethingWritten(document)).toBe(expected);
    document.body.innerHTML = '';
  });
});
