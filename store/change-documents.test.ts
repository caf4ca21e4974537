import { describe, expect, it } from 'vitest';
import { asDeleted, withEdit, type LocalDocument } from '../schemas/documents/document.ts';
import { emptyCheckpoint, type ConflictVersion } from '../schemas/local/local-record.ts';
import { removal } from '../schemas/local/remove-file.ts';
import { createMemoryDocumentStore } from '../tests/support/fakes/memory-document-store.ts';
import { newPet } from '../tests/support/fixtures/sync-documents.ts';
import { changeDocuments } from './change-documents.ts';
import { versionId } from '../schemas/local/conflict-version.ts';

const version: ConflictVersion = {
  kind: 'conflict-version',
  collection: 'pets',
  documentId: 'p1',
  petId: null,
  fields: { name: 'Rex', breed: 'Vizsla' },
  edits: { name: 1, breed: 2 },
  reason: 'other-edit',
  side: 'local',
  keptAtMs: 10,
};

function targetsOf(...ids: string[]) {
  return { targets: [{ collection: 'pets', ids }] } as const;
}

describe('changing copies', () => {
  it('D1.1 computes the change again from what somebody else wrote meanwhile', async () => {
    const store = createMemoryDocumentStore();
    store.put(newPet('p1'));
    const seen: unknown[] = [];
    const changed = await changeDocuments(store, targetsOf('p1'), (stored) => {
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
    const changed = await changeDocuments(store, targetsOf('p1', 'p2', 'p3'), (stored, id) =>
      id === 'p1' && stored ? { document: stored } : null,
    );
    expect(changed).toBe(0);
    expect(store.documents('pets')).toHaveLength(2);
  });

  it('D5.9 stores versions and jobs with the document that makes them necessary, or not at all', async () => {
    const store = createMemoryDocumentStore();
    store.put(newPet('p1'));
    const job = removal({ collection: 'pets', id: 'p1' }, 'pets/p1/images/profile.jpg');
    const recordsBefore: number[] = [];
    const change = (stored: LocalDocument | null) => {
      if (stored === null) return null;
      recordsBefore.push(store.records().size);
      if (recordsBefore.length === 1) store.put(withEdit(stored, { name: 'Meanwhile' }, 2_000));
      return { document: asDeleted(stored), versions: [version], records: [job] };
    };
    await changeDocuments(store, targetsOf('p1'), change);
    expect(recordsBefore).toEqual([0, 0]);
    expect(Object.fromEntries(store.records())).toEqual(
      Object.fromEntries([[versionId(version), version], job]),
    );
    expect(store.documents('pets')[0]?.deleted).toBe(true);
  });

  it('stores what goes with them also if no document changes, and asks for it before each attempt', async () => {
    const store = createMemoryDocumentStore();
    let asked = 0;
    const also = async () => {
      asked += 1;
      if (asked === 2) store.put(newPet('p1'));
      return { livePets: ['p1'], records: [['checkpoint', emptyCheckpoint]] as const };
    };
    expect(await changeDocuments(store, { targets: [], also }, () => null)).toBe(0);
    expect(asked).toBe(2);
    expect([...store.records().keys()]).toEqual(['checkpoint']);
  });
});

describe('the id of a version', () => {
  it('D5.9 is the same whenever and in whatever order the same is kept', () => {
    const again = { ...version, keptAtMs: 99, fields: { breed: 'Vizsla', name: 'Rex' } };
    expect(versionId(again)).toBe(versionId(version));
  });

  it('D5.9 differs with the content, the document, the side and the reason', () => {
    const others: ConflictVersion[] = [
      { ...version, fields: { name: 'Max', breed: 'Vizsla' } },
      { ...version, edits: { name: 1, breed: 3 } },
      { ...version, documentId: 'p2' },
      { ...version, collection: 'entries' },
      { ...version, side: 'server' },
      { ...version, reason: 'deleted' },
    ];
    const ids = [version, ...others].map(versionId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('D5.9 fits a record whatever the length of the document id', () => {
    expect(versionId({ ...version, documentId: 'x'.repeat(128) }).length).toBeLessThan(64);
  });
});
