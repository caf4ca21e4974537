import { describe, expect, it } from 'vitest';
import { asDeleted, withEdit } from '../../schemas/document.ts';
import type { Loser } from '../../schemas/local-record.ts';
import { removal } from '../../schemas/remove-file.ts';
import { createMemoryDocumentStore } from '../../tests/support/memory-document-store.ts';
import { newPet } from '../../tests/support/sync-documents.ts';
import { changeDocuments } from './compare-and-set.ts';
import { loserId } from './loser-id.ts';

const loser: Loser = {
  kind: 'loser',
  collection: 'pets',
  documentId: 'p1',
  petId: null,
  fields: { name: 'Rex', breed: 'Vizsla' },
  edits: { name: 1, breed: 2 },
  reason: 'other-edit',
  side: 'local',
  keptAtMs: 10,
};

describe('changing copies', () => {
  it('D1.1 computes the change again from what somebody else wrote meanwhile', async () => {
    const store = createMemoryDocumentStore();
    store.put(newPet('p1'));
    const seen: unknown[] = [];
    const changed = await changeDocuments(store, { collection: 'pets', ids: ['p1'] }, (stored) => {
      if (stored === null) return null;
      seen.push(stored.fields['name']);
      if (seen.length === 1) store.put(withEdit(stored, { name: 'Meanwhile' }, 2_000));
      return { document: withEdit(stored, { breed: 'Vizsla' }, 3_000) };
    });
    expect(seen).toEqual(['Rex', 'Meanwhile']);
    expect(changed).toBe(1);
    expect(store.documents('pets')[0]?.fields).toEqual({ name: 'Meanwhile', breed: 'Vizsla' });
  });

  it('D1.1 leaves what the change leaves', async () => {
    const store = createMemoryDocumentStore();
    store.put(newPet('p1'));
    store.put(newPet('p2'));
    const target = { collection: 'pets', ids: ['p1', 'p2', 'p3'] } as const;
    const changed = await changeDocuments(store, target, (stored, id) =>
      id === 'p1' && stored ? { document: stored } : null,
    );
    expect(changed).toBe(0);
    expect(store.documents('pets')).toHaveLength(2);
  });

  it('D5.9 stores losers before the document that gives them up', async () => {
    const store = createMemoryDocumentStore();
    store.put(newPet('p1'));
    const dying = { ...store, swap: () => Promise.reject(new Error('died')) };
    const work = changeDocuments(dying, { collection: 'pets', ids: ['p1'] }, (stored) =>
      stored ? { document: withEdit(stored, { name: 'Max' }, 2_000), losers: [loser] } : null,
    );
    await expect(work).rejects.toThrow('died');
    expect(store.records().get(loserId(loser))).toEqual(loser);
    expect(store.documents('pets')[0]?.fields).toEqual({ name: 'Rex' });
  });
});

describe('the id of a loser', () => {
  it('D5.9 is the same whenever and in whatever order the same is kept', () => {
    const again = { ...loser, keptAtMs: 99, fields: { breed: 'Vizsla', name: 'Rex' } };
    expect(loserId(again)).toBe(loserId(loser));
  });

  it('D5.9 differs with the content, the document, the side and the reason', () => {
    const others: Loser[] = [
      { ...loser, fields: { name: 'Max', breed: 'Vizsla' } },
      { ...loser, edits: { name: 1, breed: 3 } },
      { ...loser, documentId: 'p2' },
      { ...loser, collection: 'entries' },
      { ...loser, side: 'server' },
      { ...loser, reason: 'deleted' },
    ];
    const ids = [loser, ...others].map(loserId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('D5.9 fits a record whatever the length of the document id', () => {
    expect(loserId({ ...loser, documentId: 'x'.repeat(128) }).length).toBeLessThan(64);
  });

  it('O6.1 stores jobs before the document that makes them necessary', async () => {
    const store = createMemoryDocumentStore();
    store.put(newPet('p1'));
    const dying = { ...store, swap: () => Promise.reject(new Error('died')) };
    const job = removal({ collection: 'pets', id: 'p1' }, 'pets/p1/images/profile.jpg');
    const work = changeDocuments(dying, { collection: 'pets', ids: ['p1'] }, (stored) =>
      stored ? { document: asDeleted(stored), jobs: [job] } : null,
    );
    await expect(work).rejects.toThrow('died');
    expect([...store.records()]).toEqual([job]);
    expect(store.documents('pets')[0]?.deleted).toBe(false);
  });
});
