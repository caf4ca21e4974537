import { describe, expect, it, vi } from 'vitest';
import { emptyCheckpoint } from '../../../schemas/local/local-record.ts';
import { writeRecord } from '../../../store/change-documents.ts';
import { petVersion } from '../../../tests/support/fixtures/file-records.ts';
import { change, clean, expectLive, setUpData } from '../../../tests/support/setups/data-setup.ts';
import { lazyService } from '../../lib/async/lazy-service.ts';
import type { Files } from '../files/files.ts';
import { createQueries } from './rx-queries.ts';

describe('the rows of a journal', () => {
  it('stay the same objects for as long as their documents do not change', async () => {
    const { commands, queries } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    await commands.addNote({ petId, text: 'Ducks' });
    const feed = queries.feed(petId, { after: null, until: null }, 50);
    await expectLive(feed, (rows) => expect(rows).toHaveLength(1));
    const [before] = feed.getSnapshot() ?? [];
    const changed = await commands.addNote({ petId, text: 'Duks' });
    await commands.editText(changed, 'Geese');
    await expectLive(feed, (rows) => {
      expect(rows.map(({ fields }) => fields.text)).toEqual(['Geese', 'Ducks']);
      expect(rows[1]).toBe(before);
    });
  });

  it('are stepped through towards the newest', async () => {
    const { commands, queries } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    for (const text of ['one', 'two', 'three']) await commands.addNote({ petId, text });
    const feed = queries.feed(petId, { after: null, until: null }, 50);
    await expectLive(feed, (rows) => expect(rows).toHaveLength(3));
    const keys = (feed.getSnapshot() ?? []).map(({ feedKey }) => feedKey);
    expect(await queries.feedKeyBefore(petId, keys[2] ?? '', 2)).toBe(keys[0]);
    expect(await queries.feedKeyBefore(petId, keys[2] ?? '', 3)).toBeNull();
  });
});

it('a pet whose name is blank is not listed', async () => {
  const { commands, queries, store } = await setUpData();
  const id = await commands.createPet({ name: 'x' });
  await commands.createPet({ name: 'Bramble' });
  await change(store, { collection: 'pets', id }, (pet) => ({ ...pet, fields: { name: ' ' } }));
  await expectLive(queries.pets(), (pets) => {
    expect(pets.map(({ fields: { name } }) => name)).toEqual(['Bramble']);
  });
});

it('the other versions of a document are its own, with their ids', async () => {
  const { queries, store } = await setUpData();
  await writeRecord(store, 'version1', petVersion());
  await writeRecord(store, 'version2', petVersion({ documentId: 'p2' }));
  await expectLive(queries.otherVersions('p2'), (versions) => {
    expect(versions).toEqual([{ ...petVersion({ documentId: 'p2' }), id: 'version2' }]);
  });
});

it('nothing was fetched before the first pull', async () => {
  const { queries } = await setUpData();
  await expectLive(queries.fetchedOnce(), (fetched) => expect(fetched).toBe(false));
});

describe('the sync overview', () => {
  it('has the documents before the files are read', async () => {
    const { commands, database } = await setUpData();
    await commands.createPet({ name: 'Bramble' });
    const files = lazyService<Files>(() => new Promise(() => undefined));
    const onReadError = vi.fn<(error: unknown) => void>();
    const queries = createQueries({ collections: database, files, onReadError });
    await expectLive(queries.syncOverview(), (overview) => {
      expect(overview).toMatchObject({ files: null, waitingCount: 1, parkedCount: 0 });
    });
    expect(onReadError).not.toHaveBeenCalled();
  });

  it('lists parked dogs and other versions', async () => {
    const { commands, queries, store } = await setUpData();
    const id = await commands.createPet({ name: 'Bramble' });
    await change(store, { collection: 'pets', id }, (pet) => ({ ...pet, pending: 2 }));
    await writeRecord(store, 'version1', petVersion());
    await expectLive(queries.syncOverview(), (overview) => {
      expect(overview).toMatchObject({
        waitingPets: [],
        parkedPets: [{ id }],
        parkedCount: 1,
        versions: [{ ...petVersion(), id: 'version1' }],
      });
    });
  });

  it('counts apart the waiting tombstones of documents that the server may have', async () => {
    const { commands, queries, store } = await setUpData();
    const never = await commands.createPet({ name: 'Moss' });
    const petId = await commands.createPet({ name: 'Bramble' });
    const sent = await commands.addNote({ petId, text: 'Ducks' });
    await change(store, { collection: 'entries', id: sent }, clean(3));
    for (const id of [sent, await commands.addNote({ petId, text: 'Geese' })])
      await commands.deleteEntry(id);
    await commands.deletePet(never);
    await expectLive(queries.syncOverview(), (overview) => {
      expect(overview).toMatchObject({ waitingCount: 2, hiddenCount: 2 });
    });
  });

  it.each([
    ['none before its end is known', 0, null],
    ['a part of the entries', 1_000, 0.5],
    ['never more than the whole', 100, 1],
  ])('has as progress of the first pull %s', async (_, firstPullUntil, part) => {
    const { queries, store } = await setUpData();
    const seq = { pets: 0, entries: 500 };
    await writeRecord(store, 'checkpoint', { ...emptyCheckpoint, seq, firstPullUntil });
    await expectLive(queries.syncOverview(), (overview) => {
      expect(overview.fetchedPart).toBe(part);
    });
  });
});
