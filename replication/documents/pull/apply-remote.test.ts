import { describe, expect, it, vi } from 'vitest';
import { asDeleted, withEdit, type LocalDocument } from '../../../schemas/documents/document.ts';
import { createMemoryDocumentStore } from '../../../tests/support/fakes/memory-document-store.ts';
import {
  clean,
  newEntry,
  newPet,
  onServer,
} from '../../../tests/support/fixtures/sync-documents.ts';
import type { RemoteDocument } from '../../ports.ts';
import { syncRules } from '../sync-rules.ts';
import { applyRemote } from './apply-remote.ts';

const fileLocation = 'pets/p1/audios/a.webm';
const plain = newEntry({ id: 'e1', petId: 'p1' });
const withFile = withEdit(plain, { fileLocation }, 2_000);

/** Applies the server's state of documents to a device that has these copies. */
async function apply(copies: readonly LocalDocument[], remotes: readonly RemoteDocument[]) {
  const store = createMemoryDocumentStore();
  for (const copy of copies) store.put(copy);
  const serverClock = {
    load: async () => undefined,
    now: () => 9_000,
    isCalibrated: () => true,
    calibrate: async () => undefined,
  };
  const commit = vi.spyOn(store, 'commit');
  await applyRemote({ store, rules: syncRules, serverClock }, { collection: 'entries', remotes });
  const changed = commit.mock.calls.flatMap(([{ swaps = [] }]) => swaps).length;
  return { store, changed, records: [...store.records().values()] };
}

describe('the server’s documents', () => {
  it('become copies where this device has none', async () => {
    const { store, changed } = await apply([], [onServer(plain, 3)]);
    expect(changed).toBe(1);
    expect(store.documents('entries')).toEqual([{ ...clean(plain, 3), rev: 0 }]);
  });

  it('change only the copies that differ from them', async () => {
    const other = newEntry({ id: 'e2', petId: 'p1' });
    const edited = withEdit(other, { text: 'edited' }, 2_000);
    const { store, changed } = await apply(
      [clean(plain, 3), clean(other, 4)],
      [onServer(plain, 3), onServer(edited, 5)],
    );
    expect(changed).toBe(1);
    expect(store.documents('entries')).toEqual([
      clean(plain, 3),
      { ...clean(edited, 5), rev: other.rev },
    ]);
  });

  it('are none that this device did not ask for', async () => {
    const { store, changed } = await apply([clean(newPet('p1'), 1)], []);
    expect(changed).toBe(0);
    expect(store.documents('pets')).toHaveLength(1);
  });
});

describe('the file of a document', () => {
  it('O6.4 is removed if it was uploaded after this device had deleted the document', async () => {
    const { records } = await apply([asDeleted(clean(plain, 3))], [onServer(withFile, 5)]);
    expect(records.filter(({ kind }) => kind === 'remove-file')).toEqual([
      {
        kind: 'remove-file',
        collection: 'entries',
        documentId: 'e1',
        objectName: fileLocation,
        notBeforeMs: 0,
      },
    ]);
  });

  it.each<[string, LocalDocument[], RemoteDocument]>([
    ['a document that is new here', [], onServer(withFile, 5)],
    ['a live copy', [clean(plain, 3)], onServer(withFile, 5)],
    [
      'a copy that waits',
      [withEdit(clean(plain, 3), { text: 'mine' }, 3_000)],
      onServer(withFile, 5),
    ],
  ])('stays with %s', async (_, copies, remote) => {
    const { store, records } = await apply(copies, [remote]);
    expect(records.filter(({ kind }) => kind === 'remove-file')).toEqual([]);
    expect(store.documents('entries')[0]?.fields).toMatchObject({ fileLocation });
  });

  it('of a document that both have deleted needs no second removal', async () => {
    const gone = asDeleted(clean(withFile, 3));
    const { records } = await apply([gone], [onServer(gone, 5)]);
    expect(records).toEqual([]);
  });
});
