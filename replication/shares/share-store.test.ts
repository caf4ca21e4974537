import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { answerOf } from '../../store/indexeddb/requests.ts';
import { sharedKeptMs, type SharedItem } from '../../schemas/local/shared-item.ts';
import { createShareStore, eraseShares } from './share-store.ts';
import { sharesDatabaseName, writeShare } from './share-database.ts';

const startMs = 1_800_000_000_000;

function itemOf(id: string, createdAtMs = startMs): SharedItem {
  const bytes = new TextEncoder().encode('sound').buffer;
  const file = { id: `${id}-file`, name: 'a.ogg', contentType: 'audio/ogg', bytes };
  return { id, createdAtMs, texts: ['Look'], files: [file] };
}

function writeOwn(uid: string, item: SharedItem, nowMs = startMs): Promise<void> {
  return writeShare({ ...item, owner: uid }, nowMs);
}

async function hasDatabase(): Promise<boolean> {
  return (await indexedDB.databases()).some(({ name }) => name === sharesDatabaseName);
}

beforeEach(async () => {
  await eraseShares(['robin', 'ben', undefined], Infinity, () => Infinity);
});

describe('an item that another app has shared', () => {
  it('is read as it was written, until it is removed', async () => {
    const store = createShareStore('robin', () => startMs);
    await writeOwn('robin', itemOf('one'));
    await writeOwn('robin', itemOf('two'));
    expect(await store.read('one')).toEqual({ ...itemOf('one'), owner: 'robin' });
    const rest = { ...itemOf('one'), owner: 'robin', texts: [] };
    expect(await store.update('one', (item) => ({ ...item, texts: [] }))).toEqual(rest);
    expect(await store.read('one')).toEqual(rest);
    expect(await store.update('one', (item) => ({ ...item, files: [] }))).toMatchObject({
      id: 'one',
    });
    expect(await store.read('one')).toBeNull();
    expect(await store.update('one', () => rest)).toBeNull();
    expect(await store.read('two')).not.toBeNull();
  });

  it('loses no part of a change that two tabs make at once', async () => {
    const tabs = ['a', 'b', 'c'].map((text) => ({
      text,
      store: createShareStore('robin', () => startMs),
    }));
    await writeOwn('robin', { ...itemOf('one'), texts: ['a', 'b', 'c', 'd'] });
    const rests = await Promise.all(
      tabs.map(({ text, store }) =>
        store.update('one', (item) => ({
          ...item,
          texts: item.texts.filter((own) => own !== text),
        })),
      ),
    );
    expect(new Set(rests.map((rest) => rest?.texts.length))).toEqual(new Set([1, 2, 3]));
    expect((await tabs[0]?.store.read('one'))?.texts).toEqual(['d']);
  });

  it('of another owner is not changed', async () => {
    await writeOwn('ben', itemOf('one'));
    const robins = createShareStore('robin', () => startMs);
    expect(await robins.update('one', (item) => ({ ...item, texts: [], files: [] }))).toBeNull();
    expect(await createShareStore('ben', () => startMs).read('one')).toMatchObject({
      texts: ['Look'],
    });
  });

  it('has reached the disk when it is written', async () => {
    const opened = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await writeShare(itemOf('one'), startMs);
    const writing = opened.mock.calls.filter(([, mode]) => mode === 'readwrite');
    expect(writing).toEqual([['items', 'readwrite', { durability: 'strict' }]]);
  });

  it('is kept for a week, and goes with the next write or look after it', async () => {
    let nowMs = startMs;
    const store = createShareStore('robin', () => nowMs);
    await writeOwn('robin', itemOf('old'), nowMs);
    nowMs = startMs + sharedKeptMs;
    expect(await store.read('old')).not.toBeNull();
    nowMs += 1;
    expect(await store.read('old')).toBeNull();
    await writeOwn('robin', itemOf('new', nowMs), nowMs);
    nowMs = startMs;
    expect(await store.read('old')).toBeNull();
    nowMs += 3 * sharedKeptMs;
    await store.removeOld();
    nowMs = startMs;
    expect(await store.read('new')).toBeNull();
  });

  it('is listed, oldest first', async () => {
    const store = createShareStore('robin', () => startMs);
    await writeOwn('robin', itemOf('a', startMs));
    await writeOwn('robin', itemOf('b', startMs - 5));
    await writeOwn('robin', itemOf('c', startMs - sharedKeptMs - 1));
    expect(await store.removeOld()).toEqual(['b', 'a']);
  });

  it('leaves no database where nothing was shared', async () => {
    await answerOf(indexedDB.deleteDatabase(sharesDatabaseName));
    const store = createShareStore('robin', () => startMs);
    expect(await store.removeOld()).toEqual([]);
    expect(await store.list()).toEqual([]);
    await eraseShares(['robin', undefined], startMs, () => startMs);
    expect(await hasDatabase()).toBe(false);
  });

  it('is erased also while another tab has the database open', async () => {
    const store = createShareStore('robin', () => startMs);
    await writeOwn('robin', itemOf('one'));
    const frozen = await answerOf(indexedDB.open(sharesDatabaseName));
    onTestFinished(() => frozen.close());
    await eraseShares(['robin', undefined], startMs, () => startMs);
    expect(await store.read('one')).toBeNull();
  });

  it('stays if it is shared while others are erased', async () => {
    const store = createShareStore('robin', () => startMs);
    await writeOwn('robin', itemOf('one'));
    const erasure = eraseShares(['robin', undefined], startMs, () => startMs + 2);
    await Promise.all([erasure, writeShare(itemOf('after', startMs + 1), startMs + 1)]);
    expect(await store.read('after')).not.toBeNull();
  });

  it('stays if it is shared after the erasure has begun, and before it comes to the items', async () => {
    const store = createShareStore('robin', () => startMs);
    await writeOwn('robin', itemOf('after', startMs + 1));
    let nowMs = startMs;
    const erasure = eraseShares(['robin', undefined], startMs, () => nowMs);
    nowMs += 1;
    await erasure;
    expect(await store.read('after')).not.toBeNull();
  });

  it('is listed and erased by a browser that cannot list its databases', async () => {
    vi.stubGlobal('indexedDB', Object.create(indexedDB, { databases: { value: undefined } }));
    onTestFinished(() => void vi.unstubAllGlobals());
    const store = createShareStore('robin', () => startMs);
    await eraseShares(['robin', undefined], startMs, () => startMs);
    expect(await store.removeOld()).toEqual([]);
    await writeOwn('robin', itemOf('one'));
    expect(await store.removeOld()).toEqual(['one']);
    await eraseShares(['robin', undefined], startMs, () => startMs);
    expect(await store.removeOld()).toEqual([]);
  });

  it('is erased at a sign-out, unless it was shared afterwards', async () => {
    const store = createShareStore('robin', () => startMs);
    await writeOwn('robin', itemOf('before', startMs));
    await writeOwn('robin', itemOf('after', startMs + 1));
    await eraseShares(['robin', undefined], startMs, () => startMs + 1);
    expect(await store.read('before')).toBeNull();
    expect(await store.read('after')).not.toBeNull();
  });

  it('stays if it has another owner than those whose items are erased, or none', async () => {
    const [robins, bens] = ['robin', 'ben'].map((uid) => createShareStore(uid, () => startMs));
    await writeOwn('robin', itemOf('robins'));
    await writeOwn('ben', itemOf('bens'));
    await writeShare(itemOf('nobodys'), startMs);
    await eraseShares(['robin'], startMs, () => startMs);
    expect(await robins?.read('robins')).toBeNull();
    expect(await bens?.removeOld()).toEqual(['bens', 'nobodys']);
  });

  it('is erased at a sign-out, although it was shared while the clock was ahead', async () => {
    const aheadMs = startMs + 3_600_000;
    await writeOwn('robin', itemOf('ahead', aheadMs), aheadMs);
    await eraseShares(['robin', undefined], startMs, () => startMs + 1);
    const later = createShareStore('robin', () => aheadMs);
    expect(await later.read('ahead')).toBeNull();
  });

  it('belongs to the first owner who sees it, and is never offered to another', async () => {
    const stores = ['robin', 'ben'].map((uid) => createShareStore(uid, () => startMs));
    const [robins, bens] = stores;
    await writeShare(itemOf('left', startMs), startMs);
    await writeShare(itemOf('read', startMs + 1), startMs);
    expect(await robins?.removeOld()).toEqual(['left', 'read']);
    expect(await bens?.removeOld()).toEqual([]);
    expect(await bens?.read('read')).toBeNull();
    await writeShare(itemOf('new', startMs + 2), startMs);
    expect(await bens?.read('new')).toMatchObject({ id: 'new', owner: 'ben' });
    expect(await robins?.read('new')).toBeNull();
    expect(await robins?.removeOld()).toEqual(['left', 'read']);
  });

  it('is listed for the owner whose sign-out erases it, until it has expired', async () => {
    let nowMs = startMs;
    const robins = createShareStore('robin', () => nowMs);
    expect(await robins.list()).toEqual([]);
    await writeOwn('robin', itemOf('of robin'), nowMs);
    await writeShare(itemOf('of nobody', startMs), startMs);
    await writeOwn('ben', itemOf('of ben'), nowMs);
    expect(await robins.list()).toEqual(['of nobody', 'of robin']);
    nowMs += 8 * 24 * 3_600_000;
    expect(await robins.list()).toEqual([]);
  });

  it('is erased with its owner alone; what is nobody’s yet goes too', async () => {
    const bens = createShareStore('ben', () => startMs);
    await writeOwn('ben', itemOf('of ben'));
    await writeShare(itemOf('of nobody'), startMs);
    await eraseShares(['robin', undefined], startMs, () => startMs);
    expect(await bens.removeOld()).toEqual(['of ben']);
  });
});
