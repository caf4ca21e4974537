import { describe, expect, it } from 'vitest';
import {
  asDeleted,
  newerSchemaCode,
  withEdit,
  type LocalDocument,
} from '../../../schemas/documents/document.ts';
import { emptyCheckpoint, type Checkpoint } from '../../../schemas/local/local-record.ts';
import {
  clean,
  newEntry,
  newPet,
  onServer,
} from '../../../tests/support/fixtures/sync-documents.ts';
import { refKey, type Head, type RemoteDocument, type TransactionView } from '../../ports.ts';
import { markUnsynced } from '../mark-unsynced.ts';
import { planPush, type PushBatch } from './push-plan.ts';

const epoch = 'epoch-1';
const head: Head = { head: 9, epoch };
const checkpoint: Checkpoint = { ...emptyCheckpoint, epoch, seq: { pets: 9, entries: 9 } };
const pet = newPet('p1');
const entry = newEntry({ id: 'e1', petId: 'p1' });

function batch(
  documents: readonly LocalDocument[],
  pets: readonly LocalDocument[] = [],
): PushBatch {
  const byId = new Map(pets.map((document) => [document.id, document]));
  return { documents, pets: byId, checkpoint, newEpoch: 'made' };
}

function view(documents: readonly RemoteDocument[], seen: Head | null = head): TransactionView {
  return { head: seen, documents: new Map(documents.map((one) => [refKey(one), one])) };
}

function verdicts(what: PushBatch, seen: TransactionView): (string | undefined)[] {
  return (planPush(what, seen).result?.outcomes ?? []).map(({ kind }) => kind);
}

describe('a push writes', () => {
  it('D2.3 a document that the server does not have, or has as it was forked from', () => {
    const edited = withEdit(clean(newPet('p2'), 4), { name: 'Max' }, 2_000);
    const plan = planPush(batch([pet, edited]), view([]));
    expect(plan.writes).toMatchObject([
      { id: 'p1', fields: pet.fields, edits: pet.edits, seq: 10 },
      { id: 'p2', fields: { name: 'Max' }, seq: 11 },
    ]);
    expect(plan.head).toEqual({ head: 11, epoch });
  });

  it('D2.4 nothing under a head that this device has not seen, whoever moved it', () => {
    for (const seen of [
      { head: 10, epoch },
      { head: 8, epoch },
    ]) {
      expect(planPush(batch([pet]), view([], seen))).toEqual({
        head: seen,
        writes: [],
        result: null,
      });
    }
    const behind = { ...checkpoint, seq: { pets: 9, entries: 8 } };
    expect(planPush({ ...batch([pet]), checkpoint: behind }, view([])).result).toBeNull();
  });

  it('D2.5 a document without a seq only over the very content it was taken from', () => {
    const base = { fields: pet.fields, edits: pet.edits };
    const adopted = { ...pet, seq: 0, base };
    expect(verdicts(batch([adopted]), view([onServer(pet, 0)]))).toEqual(['write']);
    const changed = onServer(newPet('p1', { name: 'Changed' }), 0);
    const plan = planPush(batch([adopted]), view([changed]));
    expect(plan.writes).toEqual([]);
    expect(plan.result?.outcomes).toEqual([
      { kind: 'conflict', document: adopted, server: changed },
    ]);
  });

  it('D2.6 in order, numbered one by one after the head, which moves once', () => {
    const waits = newEntry({ id: 'e1', petId: 'parked' });
    const documents = [newPet('p1'), waits, newPet('p3')];
    const plan = planPush(batch(documents, [{ ...newPet('parked'), pending: 2 }]), view([]));
    expect(plan.writes.map(({ id, seq }) => [id, seq])).toEqual([
      ['p1', 10],
      ['p3', 11],
    ]);
    expect(plan.head?.head).toBe(11);
  });

  it('D2.13 with a new epoch, if the server has no head', () => {
    const fresh = { ...batch([pet]), checkpoint: emptyCheckpoint };
    const plan = planPush(fresh, view([], null));
    expect(plan.head).toEqual({ head: 1, epoch: 'made' });
    expect(plan.result).toMatchObject({ before: null, after: { head: 1 } });
  });

  it('D2.14 nothing at all into another history', () => {
    for (const other of [{ head: 20, epoch: 'other' }, { head: 3, epoch }, null]) {
      const plan = planPush(batch([pet]), view([], other));
      expect(plan.writes).toEqual([]);
      expect(plan.head).toEqual(other);
      expect(plan.result).toBeNull();
    }
  });
});

describe('entries and their pets', () => {
  it('D2.10 an entry goes with its pet in one commit, after it', () => {
    const plan = planPush(batch([pet, entry], [pet]), view([]));
    expect(plan.writes.map(({ id, seq }) => [id, seq])).toEqual([
      ['p1', 10],
      ['e1', 11],
    ]);
  });

  it('D2.10 an entry waits for a pet that is not on the server yet', () => {
    expect(verdicts(batch([entry], [pet]), view([]))).toEqual(['waits']);
    const parkedPet = { ...pet, pending: 2 } as const;
    expect(verdicts(batch([entry], [parkedPet]), view([]))).toEqual(['waits']);
  });

  it('D2.10 an entry waits for a pet of a newer schema that a restored server lacks', () => {
    const restored = markUnsynced({ ...clean(pet, 5), code: newerSchemaCode });
    expect(verdicts(batch([entry, asDeleted(entry)], [restored]), view([]))).toEqual([
      'waits',
      'waits',
    ]);
  });

  it('D2.10 an entry does not wait for an edit of a pet that is there', () => {
    const parkedPet = { ...withEdit(clean(pet, 2), { name: 'X' }, 5), pending: 2 } as const;
    expect(verdicts(batch([entry], [parkedPet]), view([]))).toEqual(['write']);
  });

  it('D2.11 an entry whose pet was deleted has lost it', () => {
    for (const gone of [asDeleted(clean(pet, 2)), clean(asDeleted(clean(pet, 2)), 8)]) {
      expect(verdicts(batch([entry], [gone]), view([]))).toEqual(['pet-deleted']);
      expect(verdicts(batch([entry, gone], [gone]), view([]))).toEqual(['pet-deleted', 'write']);
    }
  });

  it('D2.11 an entry whose pet is nowhere has lost it', () => {
    expect(verdicts(batch([entry], []), view([]))).toEqual(['pet-deleted']);
    const discarded = { ...pet, pending: 0 } as const;
    expect(verdicts(batch([entry], [discarded]), view([]))).toEqual(['pet-deleted']);
  });

  it('D2.11 the tombstone of an entry goes under a deleted pet', () => {
    const gone = asDeleted(clean(entry, 3));
    const petGone = clean(asDeleted(pet), 8);
    expect(verdicts(batch([gone], [petGone]), view([]))).toEqual(['write']);
  });

  it('D2.11 tombstones of an entry and its pet go together, also if the server has neither', () => {
    const gone = asDeleted(entry);
    const petGone = asDeleted(pet);
    expect(verdicts(batch([gone, petGone], [petGone]), view([]))).toEqual(['write', 'write']);
    expect(verdicts(batch([gone], [petGone]), view([]))).toEqual(['waits']);
  });

  it('D2.12 the tombstone of an entry is obsolete if neither it nor its pet was ever there', () => {
    expect(verdicts(batch([asDeleted(entry)], []), view([]))).toEqual(['obsolete']);
  });
});
