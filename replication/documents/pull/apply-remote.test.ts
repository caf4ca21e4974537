import { describe, expect, it, vi } from 'vitest';
import { asDeleted, withEdit, type LocalDocument } from '../../../schemas/documents/document.ts';
import { createMemoryDocumentStore } from '../../../tests/support/fakes/memory-document-store.ts';
import {
  clean,
  newEntry,
  newPet,
  onServer,
} from '../../../tests/support/fixtures/sync-documents.ts';
import { pictureJob } from '../../../tests/support/fixtures/file-records.ts';
import { deletePetJobId, type LocalRecord } from '../../../schemas/local/local-record.ts';
import type { Writes } from '../../../store/document-store.ts';
import type { RemoteDocument } from '../../ports.ts';
import { syncRules } from '../sync-rules.ts';
import { applyRemote } from './apply-remote.ts';

const fileLocation = 'pets/p1/audios/a.webm';
const plain = newEntry({ id: 'e1', petId: 'p1' });
const withFile = withEdit(plain, { fileLocation }, 2_000);

interface Written extends Writes {
  /** Writes of another tab after the copies were read. */
  readonly meanwhile?: Writes;
}

/** Applies the server's state of documents to a device that has these copies, and these writes. */
async function apply(
  copies: readonly LocalDocument[],
  remotes: readonly RemoteDocument[],
  { meanwhile = {}, ...writes }: Written = {},
) {
  const store = createMemoryDocumentStore();
  for (const copy of copies) store.put(copy);
  await store.commit(writes);
  const collection = copies[0]?.collection ?? 'entries';
  const serverClock = {
    load: async () => undefined,
    now: () => 9_000,
    isCalibrated: () => true,
    calibrate: async () => undefined,
  };
  const commit = vi.fn<(own: Writes) => Promise<boolean>>((own) => store.commit(own));
  commit.mockImplementationOnce(async (own) => {
    await store.commit(meanwhile);
    return store.commit(own);
  });
  const context = { store: { ...store, commit }, rules: syncRules, serverClock };
  await applyRemote(context, { collection, remotes });
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

describe('a picture that waits while another device deletes its pet', () => {
  const pet = clean(newPet('p1'), 3);
  const gone = onServer(asDeleted(pet), 5);
  const waiting = { jobs: [{ from: null, to: pictureJob('p1', { stage: 'queued' }) }] };
  const versionsOf = (records: readonly LocalRecord[]) =>
    records.filter(({ kind }) => kind === 'conflict-version');

  it('O4.2 has a version of the pet, with which it stays', async () => {
    const { records } = await apply([pet], [gone], waiting);
    const lost = { reason: 'deleted', side: 'local', fields: pet.fields };
    expect(versionsOf(records)).toMatchObject([{ documentId: 'p1', keptAtMs: 9_000, ...lost }]);
  });

  it('O4.2 has a version also if it is chosen while the deletion is applied', async () => {
    const { records } = await apply([pet], [gone], { meanwhile: waiting });
    expect(versionsOf(records)).toMatchObject([{ documentId: 'p1' }]);
  });

  it('has one version with an edit that waits as well', async () => {
    const edited = withEdit(pet, { name: 'Moss' }, 2_000);
    const { records } = await apply([edited], [gone], waiting);
    expect(versionsOf(records)).toMatchObject([{ fields: { name: 'Moss' } }]);
  });

  const done = { jobs: [{ from: null, to: pictureJob('p1', { stage: 'done' }) }] };
  const isLeaving = [deletePetJobId('p1'), { kind: 'delete-pet', petId: 'p1' }] as const;
  const leaving = { ...waiting, records: [isLeaving] };

  it.each<{ if: string; copy?: LocalDocument; remote?: RemoteDocument; writes?: Writes }>([
    { if: 'no picture waits', writes: {} },
    { if: 'the server has the picture', writes: done },
    { if: 'this device deletes the pet too', writes: leaving },
    { if: 'the pet was deleted before', copy: asDeleted(pet) },
    { if: 'the pet is live', remote: onServer(pet, 5) },
  ])('has none if $if', async ({ copy = pet, remote = gone, writes = waiting }) => {
    const { records } = await apply([copy], [remote], writes);
    expect(versionsOf(records)).toEqual([]);
  });
});
