import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  refKey,
  RemoteError,
  type DocumentRef,
  type RemoteDocument,
  type RemoteDocuments,
  type RemoteWrite,
  type TransactionView,
} from '../../replication/ports.ts';
import { newDocumentId } from '../../schemas/documents/document-id.ts';
import type { Fields } from '../../schemas/documents/sync-state.ts';
import { entryWrite, petWrite, planOf, tombstone } from './remote-writes.ts';

/** A document as an earlier client of the same database wrote it: no seq, no stamps, no `updatedAt`. */
interface UnsequencedDocument extends DocumentRef {
  readonly ownerId: string;
  readonly fields: Fields;
}

/** The clients and server access that the suite needs. Every test has its own owners and document ids. */
export interface RemoteDocumentsSetup {
  /** Two owners without data on the server. */
  readonly uidA: string;
  readonly uidB: string;
  readonly a: RemoteDocuments;
  /** Another client of the first owner, on the same server. */
  readonly a2: RemoteDocuments;
  readonly b: RemoteDocuments;
  /** A client of the first owner whose server does not answer. */
  readonly unreachable: RemoteDocuments;
  seedUnsequenced(document: UnsequencedDocument): Promise<void>;
  /** Adds a field that this client does not know to an existing document. */
  seedUnknownField(ref: DocumentRef, name: string, value: string): Promise<void>;
  readUnknownField(ref: DocumentRef, name: string): Promise<unknown>;
  /** Stops the server and starts it again on its stored data. */
  restart(): Promise<void>;
  dispose(): Promise<void>;
}

function newId(): string {
  return newDocumentId((length) => crypto.getRandomValues(new Uint8Array(length)));
}

function commit(remote: RemoteDocuments, ...writes: RemoteWrite[]): Promise<readonly number[]> {
  return remote.transact(writes, (view) => planOf(view, writes));
}

async function readOne(remote: RemoteDocuments, ref: DocumentRef): Promise<RemoteDocument | null> {
  let found: RemoteDocument | null | undefined;
  await remote.transact([ref], (view) => {
    found = view.documents.get(refKey(ref));
    return { head: null, writes: [], result: null };
  });
  if (found === undefined) throw new Error('The view lacks a document that was asked for');
  return found;
}

interface PetRef {
  readonly id: string;
  readonly ownerId: string;
}

/** Appends a letter to the description that the transaction reads. @returns the head that the transaction read. */
function append(remote: RemoteDocuments, { id, ownerId }: PetRef, letter: string): Promise<number> {
  return remote.transact([{ collection: 'pets', id, petId: null }], (view) => {
    const seen = view.documents.get(refKey({ collection: 'pets', id }));
    const description = `${seen?.fields['description'] ?? ''}${letter}`;
    const write = petWrite(ownerId, id, { name: 'Rex', description });
    return { ...planOf(view, [write]), result: view.head?.head ?? 0 };
  });
}

async function errorOf(work: Promise<unknown>): Promise<RemoteError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof RemoteError) return error;
    throw error;
  }
  throw new Error('expected a RemoteError');
}

/** Defines the suite that every implementation of {@link RemoteDocuments} must pass. */
export function describeRemoteDocuments(
  name: string,
  setup: () => Promise<RemoteDocumentsSetup>,
): void {
  describe(`RemoteDocuments: ${name}`, () => {
    let server: RemoteDocumentsSetup;
    let petId: string;

    beforeEach(async () => {
      server = await setup();
      petId = newId();
    });

    afterEach(async () => {
      await server.dispose();
    });

    describe('reading', () => {
      it('has no head before the first commit', async () => {
        expect(await server.a.readHead()).toBeNull();
      });

      it('returns a committed document with all it was given', async () => {
        const fields = { name: 'Rex', breed: 'Vizsla', dob: '2020-02-29', description: 'shy\n' };
        await commit(server.a, petWrite(server.uidA, petId, fields));
        const [found] = await server.a.pull('pets', 0, 10);
        expect(found).toMatchObject({
          collection: 'pets',
          id: petId,
          petId: null,
          ownerId: server.uidA,
          fields,
          edits: { name: 1_000, breed: 1_000, dob: 1_000, description: 1_000 },
          deleted: false,
          seq: 1,
          newerSchema: false,
        });
        expect(found?.fields).toEqual(fields);
        expect(found?.updatedAtMs).toBeGreaterThan(0);
      });

      it('returns an entry with its pet and its instant to the millisecond', async () => {
        const entry = entryWrite(server.uidA, newId(), petId);
        await commit(server.a, petWrite(server.uidA, petId), entry);
        const [found] = await server.a.pull('entries', 0, 10);
        expect(found).toMatchObject({ id: entry.id, petId, fields: entry.fields, seq: 2 });
      });

      it('lists in the order of seq, not of ids or time', async () => {
        const ids = ['c', 'a', 'b'].map((letter) => letter + newId());
        for (const id of ids) await commit(server.a, petWrite(server.uidA, id));
        await commit(server.a, petWrite(server.uidA, ids[0] ?? '', { name: 'Max' }));
        const found = await server.a.pull('pets', 0, 10);
        expect(found.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]]);
        expect(found.map(({ seq }) => seq)).toEqual([2, 3, 4]);
      });

      it('lists page by page, each document once', async () => {
        const ids = Array.from({ length: 5 }, newId);
        await commit(server.a, ...ids.map((id) => petWrite(server.uidA, id)));
        const first = await server.a.pull('pets', 0, 2);
        const second = await server.a.pull('pets', first.at(-1)?.seq ?? 0, 2);
        const third = await server.a.pull('pets', second.at(-1)?.seq ?? 0, 2);
        expect([first.length, second.length, third.length]).toEqual([2, 2, 1]);
        expect([...first, ...second, ...third].map(({ id }) => id)).toEqual(ids);
      });

      it('lists tombstones, which keep nothing but ids and owner', async () => {
        const write = petWrite(server.uidA, petId, { name: 'Rex', description: 'secret' });
        await commit(server.a, write);
        await commit(server.a, tombstone(write));
        const [found] = await server.a.pull('pets', 1, 10);
        expect(found).toMatchObject({ id: petId, ownerId: server.uidA, deleted: true, seq: 2 });
        expect(found?.fields).toEqual({});
      });

      it('reports documents without a seq, and lists them with the others', async () => {
        const old = { collection: 'pets', id: newId(), petId: null, ownerId: server.uidA } as const;
        const fields = { name: 'Old', dob: '2019-05-04' };
        await server.seedUnsequenced({ ...old, fields });
        await commit(server.a, petWrite(server.uidA, petId));
        expect((await server.a.pull('pets', 0, 10)).map(({ id }) => id)).toEqual([petId]);
        expect(await server.a.hasUnsequenced('pets')).toBe(true);
        expect(await server.a.hasUnsequenced('entries')).toBe(false);
        const found = await server.a.scan('pets', null, 10);
        expect(found.map(({ id }) => id)).toEqual([old.id, petId].toSorted());
        const unsequenced = found.find(({ id }) => id === old.id);
        expect(unsequenced).toMatchObject({ fields, seq: 0, updatedAtMs: null });
      });

      it('sums the seqs of all documents of the owner', async () => {
        const old = { collection: 'pets', id: newId(), petId: null, ownerId: server.uidA } as const;
        await server.seedUnsequenced({ ...old, fields: { name: 'Old' } });
        expect(await server.a.sumOfSeqs('pets')).toBe(0);
        const entry = entryWrite(server.uidA, newId(), petId);
        await commit(server.a, petWrite(server.uidA, petId), entry);
        await commit(server.a, petWrite(server.uidA, newId()), tombstone(entry));
        await commit(server.b, petWrite(server.uidB, newId()));
        expect(await server.a.sumOfSeqs('pets')).toBe(1 + 3);
        expect(await server.a.sumOfSeqs('entries')).toBe(4);
      });

      it('lists entries page by page in the order of their paths, each once', async () => {
        const pets = [newId(), newId()];
        const entries = [...pets, ...pets].map((pet) => entryWrite(server.uidA, newId(), pet));
        await commit(server.a, ...pets.map((id) => petWrite(server.uidA, id)), ...entries);
        const seen: RemoteDocument[] = [];
        for (let page = 0; page <= entries.length; page += 1) {
          seen.push(...(await server.a.scan('entries', seen.at(-1) ?? null, 1)));
        }
        const paths = entries.map(({ petId: pet, id }) => `${pet ?? ''}/${id}`).toSorted();
        expect(seen.map((entry) => `${entry.petId ?? ''}/${entry.id}`)).toEqual(paths);
      });

      it('lists entries without a seq with their pet', async () => {
        await commit(server.a, petWrite(server.uidA, petId));
        const id = newId();
        const fields = { createdDate: 1_600_000_000_000, type: 'note', text: 'old' };
        const ref = { collection: 'entries', id, petId } as const;
        await server.seedUnsequenced({ ...ref, ownerId: server.uidA, fields });
        expect(await server.a.hasUnsequenced('entries')).toBe(true);
        const found = await server.a.scan('entries', null, 10);
        expect(found).toMatchObject([{ id, petId, ownerId: server.uidA, fields, seq: 0 }]);
      });
    });

    describe('a transaction', () => {
      it('shows documents that are not there as null', async () => {
        expect(await readOne(server.a, { collection: 'pets', id: petId, petId: null })).toBeNull();
        const entry = { collection: 'entries', id: newId(), petId } as const;
        expect(await readOne(server.a, entry)).toBeNull();
      });

      it('shows the head and the documents that it decides on', async () => {
        await commit(server.a, petWrite(server.uidA, petId));
        const views: TransactionView[] = [];
        await server.a.transact([{ collection: 'pets', id: petId, petId: null }], (view) => {
          views.push(view);
          return planOf(view, []);
        });
        expect(views.at(-1)?.head?.head).toBe(1);
        const shown = views.at(-1)?.documents.get(refKey({ collection: 'pets', id: petId }));
        expect(shown).toMatchObject({ id: petId, fields: { name: 'Rex' }, seq: 1 });
      });

      it('moves the head with the writes and returns the result', async () => {
        const entry = entryWrite(server.uidA, newId(), petId);
        expect(await commit(server.a, petWrite(server.uidA, petId), entry)).toEqual([1, 2]);
        expect(await server.a.readHead()).toEqual({ head: 2, epoch: 'epoch-of-the-suite' });
      });

      it('commits nothing without writes and with the head that was read', async () => {
        await commit(server.a, petWrite(server.uidA, petId));
        const before = await server.a.pull('pets', 0, 10);
        await commit(server.a);
        expect(await server.a.readHead()).toMatchObject({ head: 1 });
        expect(await server.a.pull('pets', 0, 10)).toEqual(before);
      });

      it('commits no head for a plan without one', async () => {
        const nothing = { head: null, writes: [], result: null };
        await server.a.transact([], () => nothing);
        expect(await server.a.readHead()).toBeNull();
        await commit(server.a, petWrite(server.uidA, petId));
        await server.a.transact([], () => nothing);
        expect(await server.a.readHead()).toMatchObject({ head: 1 });
      });

      it('commits another epoch without writes', async () => {
        await commit(server.a, petWrite(server.uidA, petId));
        await server.a.transact([], ({ head }) => ({
          head: { head: head?.head ?? 0, epoch: 'another' },
          writes: [],
          result: null,
        }));
        expect(await server.a2.readHead()).toEqual({ head: 1, epoch: 'another' });
      });

      it('clears known fields that a write leaves out', async () => {
        await commit(server.a, petWrite(server.uidA, petId, { name: 'Rex', breed: 'Vizsla' }));
        await commit(server.a, petWrite(server.uidA, petId, { name: 'Rex' }));
        const [found] = await server.a.pull('pets', 1, 10);
        expect(found?.fields).toEqual({ name: 'Rex' });
        expect(found?.edits).toEqual({ name: 1_000 });
      });

      it('leaves unknown fields unchanged', async () => {
        const ref = { collection: 'pets', id: petId, petId: null } as const;
        await commit(server.a, petWrite(server.uidA, petId));
        await server.seedUnknownField(ref, 'futureField', 'kept');
        await commit(server.a, petWrite(server.uidA, petId, { name: 'Max' }));
        expect(await server.readUnknownField(ref, 'futureField')).toBe('kept');
      });

      it('commits all writes or none', async () => {
        await commit(server.b, petWrite(server.uidB, petId));
        const own = petWrite(server.uidA, newId());
        const foreign = petWrite(server.uidA, petId);
        await errorOf(commit(server.a, own, foreign));
        expect(await server.a.pull('pets', 0, 10)).toEqual([]);
        expect(await server.a.readHead()).toBeNull();
      });
    });

    describe('two clients at once', () => {
      let pet: PetRef;

      beforeEach(() => {
        pet = { id: petId, ownerId: server.uidA };
      });

      it('lose no update of the same document', async () => {
        await commit(server.a, petWrite(server.uidA, petId));
        for (const letter of ['1', '2', '3']) {
          await Promise.all([
            append(server.a, pet, `a${letter}`),
            append(server.a2, pet, `b${letter}`),
          ]);
        }
        const [found] = await server.a.pull('pets', 0, 10);
        const description = String(found?.fields['description']);
        const pieces = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'];
        expect(description).toHaveLength(12);
        for (const piece of pieces) expect(description).toContain(piece);
        expect(found?.seq).toBe(7);
      });

      it('never commit on the same head, so the later one is retried', async () => {
        const seen = await Promise.all([append(server.a, pet, 'x'), append(server.a2, pet, 'y')]);
        expect(seen.toSorted((one, other) => one - other)).toEqual([0, 1]);
        expect(await server.a.readHead()).toMatchObject({ head: 2 });
      });

      it('never give a seq twice, also for different documents', async () => {
        const ids = Array.from({ length: 4 }, newId);
        const seqs = await Promise.all(
          ids.map((id, index) =>
            commit(index % 2 === 0 ? server.a : server.a2, petWrite(server.uidA, id)),
          ),
        );
        expect(seqs.flat().toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4]);
      });

      it('see a commit of the other at once', async () => {
        await commit(server.a, petWrite(server.uidA, petId));
        expect(await server.a2.readHead()).toMatchObject({ head: 1 });
        expect(await server.a2.pull('pets', 0, 10)).toHaveLength(1);
      });
    });

    describe('another owner', () => {
      it('does not see documents in lists', async () => {
        const entry = entryWrite(server.uidA, newId(), petId);
        await commit(server.a, petWrite(server.uidA, petId), entry);
        expect(await server.b.pull('pets', 0, 10)).toEqual([]);
        expect(await server.b.pull('entries', 0, 10)).toEqual([]);
        expect(await server.b.scan('entries', null, 10)).toEqual([]);
        expect(await server.b.readHead()).toBeNull();
      });

      it('is refused a document by its id permanently', async () => {
        await commit(server.a, petWrite(server.uidA, petId));
        const ref = { collection: 'pets', id: petId, petId: null } as const;
        expect(await errorOf(readOne(server.b, ref))).toMatchObject({ kind: 'permanent' });
        const write = petWrite(server.uidB, petId);
        const blind = server.b.transact([], (view) => planOf(view, [write]));
        expect(await errorOf(blind)).toMatchObject({ kind: 'permanent' });
      });

      it('cannot write in the name of the first', async () => {
        const write = petWrite(server.uidA, petId);
        expect(await errorOf(commit(server.b, write))).toMatchObject({ kind: 'permanent' });
        expect(await server.a.pull('pets', 0, 10)).toEqual([]);
      });

      it('cannot put an entry under a pet of the first', async () => {
        await commit(server.a, petWrite(server.uidA, petId));
        const write = entryWrite(server.uidB, newId(), petId);
        const blind = server.b.transact([], (view) => planOf(view, [write]));
        expect(await errorOf(blind)).toMatchObject({ kind: 'permanent' });
      });
    });

    describe('failing', () => {
      it('is transient for every call if there is no answer', async () => {
        const { unreachable } = server;
        const ref = { collection: 'pets', id: petId, petId: null } as const;
        for (const call of [
          () => unreachable.readHead(),
          () => unreachable.pull('pets', 0, 10),
          () => unreachable.hasUnsequenced('entries'),
          () => unreachable.sumOfSeqs('entries'),
          () => unreachable.scan('entries', null, 10),
          () => readOne(unreachable, ref),
        ]) {
          expect(await errorOf(call())).toMatchObject({ kind: 'transient' });
        }
      });

      it('loses no acknowledged write in a restart', async () => {
        await commit(server.a, petWrite(server.uidA, petId));
        const before = await server.a.pull('pets', 0, 10);
        await server.restart();
        expect(await server.a.pull('pets', 0, 10)).toEqual(before);
        expect(await server.a.readHead()).toMatchObject({ head: 1 });
        expect(await commit(server.a2, petWrite(server.uidA, newId()))).toEqual([2]);
      });
    });
  });
}
