import { createStore } from 'jotai';
import { describe, expect, it } from 'vitest';
import { createFakeClock, settlePromises } from '../../../tests/support/fakes/fake-clock.ts';
import { fakeData } from '../../../tests/support/fakes/fake-data.ts';
import { createMemoryChannels } from '../../../tests/support/fakes/memory-channels.ts';
import { voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import { transferAtom } from '../../features/storage/transfer-atom.ts';
import { dataAtom } from '../session/session-controller.ts';
import {
  findUnfinished,
  isSomethingWritten,
  watchUnfinishedWork,
  type UnfinishedWork,
} from './unfinished-work.ts';

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

  it('is also what begins in this tab while the others are asked', async () => {
    const channel = createMemoryChannels()('work');
    const clock = createFakeClock();
    let own: UnfinishedWork | null = null;
    const found = watchUnfinishedWork({ channel, clock, find: async () => own })();
    await settlePromises();
    own = 'recording';
    await clock.advance(400);
    expect(await found).toBe('recording');
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

it('of a tab is a recording, a text, an export or import that runs, or an upload', async () => {
  const store = createStore();
  const page = document.implementation.createHTMLDocument();
  const tab = { store, page, recordings: async () => new Set<string>(), isOnline: () => true };
  const data = fakeData();
  expect(await findUnfinished(tab)).toBeNull();
  store.set(dataAtom, data);
  expect(await findUnfinished(tab)).toBeNull();
  data.files.jobs.set([voiceJob('one', { stage: 'queued' })]);
  expect(await findUnfinished(tab)).toBeNull();
  data.files.jobs.set([voiceJob('one', { stage: 'uploading' })]);
  expect(await findUnfinished(tab)).toBe('sending');
  store.set(transferAtom, { step: 'running', kind: 'import', progress: null, writtenPart: 0 });
  expect(await findUnfinished(tab)).toBe('transfer');
  store.set(transferAtom, { step: 'stopped', kind: 'import' });
  expect(await findUnfinished(tab)).toBe('sending');
  store.set(dataAtom, null);
  expect(await findUnfinished(tab)).toBeNull();
  page.body.innerHTML = '<textarea>half a note</textarea>';
  expect(await findUnfinished(tab)).toBe('writing');
  const recordings = async () => new Set(['r1']);
  expect(await findUnfinished({ ...tab, recordings })).toBe('recording');
});

it('of a tab is no upload that has failed and is tried again, and none without a connection', async () => {
  const store = createStore();
  const page = document.implementation.createHTMLDocument();
  const tab = { store, page, recordings: async () => new Set<string>(), isOnline: () => true };
  const data = fakeData();
  store.set(dataAtom, data);
  data.files.jobs.set([voiceJob('one', { stage: 'uploading', attempts: 1 })]);
  expect(await findUnfinished(tab)).toBeNull();
  data.files.jobs.set([voiceJob('one', { stage: 'uploading' })]);
  expect(await findUnfinished(tab)).toBe('sending');
  expect(await findUnfinished({ ...tab, isOnline: () => false })).toBeNull();
});

describe('a page', () => {
  it.each([
    ['<textarea>half a note</textarea>', true],
    ['<form><canvas></canvas></form>', true],
    ['<input type="text" value="Bram">', true],
    ['<textarea> \n</textarea><input type="text" value="">', false],
    ['<input type="checkbox" value="on" checked><input type="file">', false],
    ['<input type="search" value="ducks">', false],
  ])('%s has something written: %s', (html, expected) => {
    document.body.innerHTML = html;
    expect(isSomethingWritten(document)).toBe(expected);
    document.body.innerHTML = '';
  });
});
