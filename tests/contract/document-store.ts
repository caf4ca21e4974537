import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  asDeleted,
  newDocument,
  withEdit,
  type LocalDocument,
} from '../../schemas/documents/document.ts';
import { emptyCheckpoint, type ConflictVersion } from '../../schemas/local/local-record.ts';
import type { Fields } from '../../schemas/documents/sync-state.ts';
import { writeRecord } from '../../store/change-documents.ts';
import type { DocumentStore, Stored, Writes } from '../../store/document-store.ts';

export interface DocumentStoreSetup {
  readonly store: DocumentStore;
  /** Another store on the same data, as a second tab or the worker opens it. */
  readonly other: DocumentStore;
  /** Closes everything and opens the same data again. */
  reopen(): Promise<DocumentStore>;
  dispose(): Promise<void>;
}

const ownerId = 'owner-1';
const firstPage = { afterId: '', limit: 100 };

function pet(id: string, fields: Fields = { name: 'Rex' }): LocalDocument {
  return newDocument({ collection: 'pets', id, ownerId, petId: null }, fields, 1_000);
}

function entry(id: string, petId = 'p1'): LocalDocument {
  const fields = { createdDate: 1_700_000_000_000, type: 'note', text: `note ${id}` };
  return newDocument({ collection: 'entries', id, ownerId, petId }, fields, 1_000);
}

function idsOf(found: readonly Stored[]): string[] {
  return found.map(({ document }) => document.id);
}

function insert(store: DocumentStore, ...documents: LocalDocument[]): Promise<boolean> {
  return store.commit({ swaps: documents.map((to) => ({ from: null, to })) });
}

async function readOne(store: DocumentStore, { collection, id }: LocalDocument): Promise<Stored> {
  const stored = (await store.get(collection, [id])).get(id);
  if (!stored) throw new Error(`no ${id}`);
  return stored;
}

/** Defines the suite that every implementation of {@link DocumentStore} must pass. */
export function describeDocumentStore(
  name: string,
  setup: () => Promise<DocumentStoreSetup>,
): void {
  describe(`DocumentStore: ${name}`, () => {
    let opened: DocumentStoreSetup;
    let store: DocumentStore;

    beforeEach(async () => {
      opened = await setup();
      ({ store } = opened);
    });

    afterEach(async () => {
      await opened.dispose();
    });

    describe('documents', () => {
      it('come back as they were written', async () => {
        const full: LocalDocument = {
          ...pet('p1', { name: 'Rex', dob: '2020-01-01', profilePicturePath: 'a/b' }),
          pending: 2,
          seq: 7,
          base: { fields: { name: 'Max' }, edits: { name: 5 } },
          rev: 3,
          code: 'refused:invalid-argument',
        };
        await insert(store, full);
        expect((await readOne(store, full)).document).toEqual(full);
      });

      it('come back as they were written: entries, clean and deleted ones', async () => {
        const clean: LocalDocument = { ...entry('e1'), pending: 0, seq: 4 };
        const gone = asDeleted({ ...entry('e2'), pending: 0, seq: 5 });
        await insert(store, clean, gone);
        expect((await readOne(store, clean)).document).toEqual(clean);
        expect((await readOne(store, gone)).document).toEqual(gone);
      });

      it('are absent from the map if they are not there', async () => {
        await insert(store, pet('p1'));
        const found = await store.get('pets', ['p1', 'nobody']);
        expect([...found.keys()]).toEqual(['p1']);
        expect((await store.get('pets', [])).size).toBe(0);
        expect((await store.get('entries', ['p1'])).size).toBe(0);
      });

      it('are seen by another store on the same data', async () => {
        await insert(store, pet('p1'));
        expect((await readOne(opened.other, pet('p1'))).document.fields).toEqual({ name: 'Rex' });
      });

      it('outlive a restart once the write has resolved', async () => {
        await insert(store, pet('p1'), pet('p2'));
        const again = await opened.reopen();
        expect(idsOf(await again.listAll('pets', firstPage))).toEqual(['p1', 'p2']);
        const stored = await readOne(again, pet('p1'));
        const edited = withEdit(stored.document, { name: 'Max' }, 2_000);
        expect(await again.commit({ swaps: [{ from: stored, to: edited }] })).toBe(true);
      });
    });

    describe('commit', () => {
      it('replaces the revision that was read', async () => {
        await insert(store, pet('p1'));
        const from = await readOne(store, pet('p1'));
        const to = withEdit(from.document, { name: 'Max' }, 2_000);
        expect(await store.commit({ swaps: [{ from, to }] })).toBe(true);
        const now = await readOne(store, pet('p1'));
        expect(now.document).toEqual(to);
        expect(now.revision).not.toBe(from.revision);
      });

      it('clears a field that the new document lacks', async () => {
        await insert(store, pet('p1', { name: 'Rex', breed: 'Vizsla' }));
        const from = await readOne(store, pet('p1'));
        await store.commit({
          swaps: [{ from, to: withEdit(from.document, { breed: null }, 2_000) }],
        });
        expect((await readOne(store, pet('p1'))).document.fields).toEqual({ name: 'Rex' });
      });

      it('refuses a document that another writer has changed', async () => {
        await insert(store, pet('p1'));
        const from = await readOne(store, pet('p1'));
        const theirs = await readOne(opened.other, pet('p1'));
        const winner = withEdit(theirs.document, { name: 'Theirs' }, 2_000);
        await opened.other.commit({ swaps: [{ from: theirs, to: winner }] });
        const to = withEdit(from.document, { name: 'Ours' }, 3_000);
        expect(await store.commit({ swaps: [{ from, to }] })).toBe(false);
        expect((await readOne(store, pet('p1'))).document.fields).toEqual({ name: 'Theirs' });
      });

      it('refuses an old revision even if the content is the same', async () => {
        await insert(store, pet('p1'));
        const from = await readOne(store, pet('p1'));
        const edited = withEdit(from.document, { name: 'Max' }, 2_000);
        await store.commit({ swaps: [{ from, to: edited }] });
        const between = await readOne(store, pet('p1'));
        await store.commit({ swaps: [{ from: between, to: from.document }] });
        expect(await store.commit({ swaps: [{ from, to: edited }] })).toBe(false);
      });

      it('refuses to insert an existing document', async () => {
        await insert(store, pet('p1'));
        const again = { from: null, to: pet('p1', { name: 'Twin' }) };
        expect(await store.commit({ swaps: [again] })).toBe(false);
        expect((await readOne(store, pet('p1'))).document.fields).toEqual({ name: 'Rex' });
      });

      it('writes nothing of several documents and records if one was changed', async () => {
        await insert(store, pet('p1'), pet('p3'));
        const theirs = await readOne(opened.other, pet('p1'));
        const [mine, third] = [await readOne(store, pet('p1')), await readOne(store, pet('p3'))];
        const winner = withEdit(theirs.document, { name: 'Theirs' }, 2_000);
        await opened.other.commit({ swaps: [{ from: theirs, to: winner }] });
        const others: Writes = {
          swaps: [
            { from: null, to: pet('p2') },
            { from: null, to: entry('e1') },
            { from: third, to: withEdit(third.document, { name: 'Mine' }, 3_000) },
          ],
          records: [['checkpoint', emptyCheckpoint]],
        };
        const own = { from: mine, to: withEdit(mine.document, { name: 'Mine' }, 3_000) };
        expect(await store.commit({ ...others, swaps: [...(others.swaps ?? []), own] })).toBe(
          false,
        );
        expect(await store.commit({ ...others, livePets: ['p1', 'p2'] })).toBe(false);
        expect(await store.commit({ ...others, forgotten: [mine] })).toBe(false);
        expect(idsOf(await store.listAll('pets', firstPage))).toEqual(['p1', 'p3']);
        expect(await store.listAll('entries', firstPage)).toEqual([]);
        expect((await readOne(store, pet('p3'))).document.fields).toEqual({ name: 'Rex' });
        expect(await store.readRecord('checkpoint')).toBeNull();

        expect(await store.commit(others)).toBe(true);
        expect(idsOf(await store.listAll('pets', firstPage))).toEqual(['p1', 'p2', 'p3']);
        expect(idsOf(await store.listAll('entries', firstPage))).toEqual(['e1']);
        expect(await store.readRecord('checkpoint')).toEqual(emptyCheckpoint);
      });

      it('requires that the live pets exist and are not deleted, and leaves them unchanged', async () => {
        await insert(store, pet('p1'));
        const from = await readOne(store, pet('p1'));
        const swaps = [{ from: null, to: entry('e1') }];
        expect(await store.commit({ swaps, livePets: ['p1'] })).toBe(true);
        expect(await readOne(store, pet('p1'))).toEqual(from);
        await store.commit({ swaps: [{ from, to: asDeleted(from.document) }] });
        const later = { swaps: [{ from: null, to: entry('e2') }], livePets: ['p1'] };
        expect(await store.commit(later)).toBe(false);
        expect(idsOf(await store.listAll('entries', firstPage))).toEqual(['e1']);
      });

      it('removes forgotten documents without a tombstone, and lets them be created again', async () => {
        await insert(store, pet('p1'), pet('p2'));
        const from = await readOne(store, pet('p1'));
        expect(await store.commit({ forgotten: [from] })).toBe(true);
        expect(idsOf(await store.listAll('pets', firstPage))).toEqual(['p2']);
        expect((await store.get('pets', ['p1'])).size).toBe(0);
        expect(await store.commit({ forgotten: [from] })).toBe(false);
        const edited = withEdit(from.document, { name: 'Max' }, 2_000);
        expect(await store.commit({ swaps: [{ from, to: edited }] })).toBe(false);
        expect(await insert(store, pet('p1'))).toBe(true);
        expect(await store.commit({ swaps: [{ from, to: edited }] })).toBe(false);
        expect((await readOne(opened.other, pet('p1'))).document.fields).toEqual({ name: 'Rex' });
      });

      it('lets one of two concurrent writers win', async () => {
        await insert(store, pet('p1'));
        const from = await readOne(store, pet('p1'));
        const theirs = await readOne(opened.other, pet('p1'));
        const [ours, others] = await Promise.all([
          store.commit({ swaps: [{ from, to: withEdit(from.document, { name: 'A' }, 2_000) }] }),
          opened.other.commit({
            swaps: [{ from: theirs, to: withEdit(theirs.document, { name: 'B' }, 2_000) }],
          }),
        ]);
        expect([ours, others].map(String).toSorted()).toEqual(['false', 'true']);
        const winner = ours ? 'A' : 'B';
        expect((await readOne(store, pet('p1'))).document.fields).toEqual({ name: winner });
      });

      it('accepts an empty commit', async () => {
        expect(await store.commit({})).toBe(true);
      });
    });

    describe('lists', () => {
      beforeEach(async () => {
        const parked = { ...entry('b'), pending: 2, code: 'refused:x' } as const;
        const clean = { ...entry('d'), pending: 0, seq: 1 } as const;
        const gone = asDeleted({ ...entry('e'), pending: 0, seq: 2 });
        await insert(store, entry('c'), parked, entry('a'), clean, gone, entry('f', 'p2'));
      });

      it('waiting documents by id, tombstones among them', async () => {
        expect(idsOf(await store.listPending('entries', 1, firstPage))).toEqual([
          'a',
          'c',
          'e',
          'f',
        ]);
        expect(await store.listPending('pets', 1, firstPage)).toEqual([]);
      });

      it('parked documents apart', async () => {
        expect(idsOf(await store.listPending('entries', 2, firstPage))).toEqual(['b']);
      });

      it('waiting documents page by page', async () => {
        const first = await store.listPending('entries', 1, { afterId: '', limit: 2 });
        const second = await store.listPending('entries', 1, { afterId: 'c', limit: 2 });
        expect([idsOf(first), idsOf(second)]).toEqual([
          ['a', 'c'],
          ['e', 'f'],
        ]);
      });

      it('all documents by id, page by page', async () => {
        const first = await store.listAll('entries', { afterId: '', limit: 4 });
        const second = await store.listAll('entries', { afterId: 'd', limit: 4 });
        expect([idsOf(first), idsOf(second)]).toEqual([
          ['a', 'b', 'c', 'd'],
          ['e', 'f'],
        ]);
      });

      it('live entries of one pet, page by page', async () => {
        expect(idsOf(await store.listEntriesOfPet('p1', firstPage))).toEqual(['a', 'b', 'c', 'd']);
        const page = await store.listEntriesOfPet('p1', { afterId: 'a', limit: 2 });
        expect(idsOf(page)).toEqual(['b', 'c']);
      });

      it('documents that can be swapped as they were listed', async () => {
        const [first] = await store.listEntriesOfPet('p1', firstPage);
        if (!first) throw new Error('nothing listed');
        const swap = { from: first, to: asDeleted(first.document) };
        expect(await store.commit({ swaps: [swap] })).toBe(true);
        expect(idsOf(await store.listEntriesOfPet('p1', firstPage))).toEqual(['b', 'c', 'd']);
      });
    });

    describe('records', () => {
      const version: ConflictVersion = {
        kind: 'conflict-version',
        collection: 'pets',
        documentId: 'p1',
        petId: null,
        fields: { name: 'Rex' },
        edits: { name: 5, breed: 6 },
        reason: 'other-edit',
        side: 'local',
        keptAtMs: 9,
      };

      it('come back as they were written, and are replaced', async () => {
        expect(await store.readRecord('checkpoint')).toBeNull();
        await writeRecord(store, 'checkpoint', emptyCheckpoint);
        expect(await store.readRecord('checkpoint')).toEqual(emptyCheckpoint);
        const later = { ...emptyCheckpoint, epoch: 'e', seq: { pets: 3, entries: 4 } };
        await writeRecord(store, 'checkpoint', later);
        expect(await store.readRecord('checkpoint')).toEqual(later);
      });

      it('are listed by kind', async () => {
        await writeRecord(store, 'checkpoint', emptyCheckpoint);
        await writeRecord(store, 'version:1', version);
        await writeRecord(store, 'version:2', { ...version, side: 'server' });
        const found = await store.listRecords('conflict-version');
        expect([...found.keys()].toSorted()).toEqual(['version:1', 'version:2']);
        expect(found.get('version:1')).toEqual(version);
        expect((await store.listRecords('delete-pet')).size).toBe(0);
      });

      it('can have the id of a job on a document with the longest id', async () => {
        const petId = 'x'.repeat(128);
        await writeRecord(store, `delete-pet:${petId}`, { kind: 'delete-pet', petId });
        expect(await store.readRecord(`delete-pet:${petId}`)).toEqual({
          kind: 'delete-pet',
          petId,
        });
      });

      it('are removed, also twice, and can be written again', async () => {
        await writeRecord(store, 'version:1', version);
        await writeRecord(store, 'version:1', null);
        await writeRecord(store, 'version:1', null);
        expect(await store.readRecord('version:1')).toBeNull();
        expect((await store.listRecords('conflict-version')).size).toBe(0);
        await writeRecord(store, 'version:1', version);
        expect(await store.readRecord('version:1')).toEqual(version);
      });

      it('are written only over what was read, if that is given, or else nothing is', async () => {
        const other: ConflictVersion = { ...version, side: 'server' };
        const write = (to: ConflictVersion | null, from: ConflictVersion | null) =>
          store.commit({
            records: [
              ['version:1', to, from],
              ['checkpoint', emptyCheckpoint],
            ],
          });
        expect(await write(other, version)).toBe(false);
        expect(await store.readRecord('checkpoint')).toBeNull();
        expect(await write(version, null)).toBe(true);
        expect(await write(other, null)).toBe(false);
        expect(await write(null, other)).toBe(false);
        expect(await write(null, null)).toBe(false);
        expect(await store.readRecord('version:1')).toEqual(version);
        expect(await write(other, version)).toBe(true);
        expect(await write(null, other)).toBe(true);
        expect(await write(null, null)).toBe(true);
        expect(await store.readRecord('version:1')).toBeNull();
      });

      it('outlive a restart', async () => {
        await writeRecord(store, 'version:1', version);
        expect(await (await opened.reopen()).readRecord('version:1')).toEqual(version);
      });
    });
  });
}
