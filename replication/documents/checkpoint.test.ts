import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkpointId,
  emptyCheckpoint,
  type Checkpoint,
} from '../../schemas/local/local-record.ts';
import { writeRecord } from '../../store/change-documents.ts';
import { createMemoryDocumentStore } from '../../tests/support/fakes/memory-document-store.ts';
import { fuzzSeed } from '../../tests/support/fuzz-runs.ts';
import {
  afterCommit,
  afterPage,
  afterPull,
  afterScan,
  hasSeenAll,
  inHistory,
  isHeadBehind,
  isDifferentEpoch,
  repairedHead,
  readCheckpoint,
  towards,
} from './checkpoint.ts';

const checkpoint: Checkpoint = {
  ...emptyCheckpoint,
  epoch: 'e',
  seq: { pets: 5, entries: 7 },
  complete: true,
};

describe('the checkpoint', () => {
  it('D3.1 is empty before the first sync, and read as it was written', async () => {
    const store = createMemoryDocumentStore();
    expect(await readCheckpoint(store)).toEqual(emptyCheckpoint);
    await writeRecord(store, checkpointId, checkpoint);
    expect(await readCheckpoint(store)).toEqual(checkpoint);
  });

  it('D3.1 moves one collection with a page', () => {
    expect(afterPage(checkpoint, 'pets', 6).seq).toEqual({ pets: 6, entries: 7 });
  });

  it('D3.3 moves to the head read before the pull, never back', () => {
    const end = afterPull(checkpoint, { head: 6, epoch: 'e' }, 99);
    expect(end).toMatchObject({ seq: { pets: 6, entries: 7 }, complete: true, syncedAtMs: 99 });
    expect(afterPull(checkpoint, null, 99).seq).toEqual(checkpoint.seq);
  });

  it('D3.4 moves with a commit only if nothing before it was unseen', () => {
    const level = { ...checkpoint, seq: { pets: 7, entries: 7 } };
    const before = { head: 7, epoch: 'e' };
    const after = { head: 9, epoch: 'e' };
    expect(afterCommit(level, { before, after }).seq).toEqual({ pets: 9, entries: 9 });
    expect(afterCommit(checkpoint, { before, after })).toBe(checkpoint);
    expect(afterCommit(level, { before: { head: 8, epoch: 'e' }, after })).toBe(level);
    expect(afterCommit(level, { before, after: { head: 9, epoch: 'x' } })).toBe(level);
  });

  it('D3.4 moves with the first commit of an account', () => {
    const entered = { ...emptyCheckpoint, epoch: 'e' };
    const moved = afterCommit(entered, { before: null, after: { head: 2, epoch: 'e' } });
    expect(moved.seq).toEqual({ pets: 2, entries: 2 });
  });

  it('D3.6 knows when it has seen all', () => {
    const level = { ...checkpoint, seq: { pets: 7, entries: 7 } };
    expect(hasSeenAll(level, { head: 7, epoch: 'e' })).toBe(true);
    expect(hasSeenAll(checkpoint, { head: 7, epoch: 'e' })).toBe(false);
    expect(hasSeenAll(level, { head: 8, epoch: 'e' })).toBe(false);
    expect(hasSeenAll(level, { head: 7, epoch: 'x' })).toBe(false);
  });

  it('D3.7 tells another history by its epoch or a lower head', () => {
    expect(isDifferentEpoch(checkpoint, { head: 7, epoch: 'e' })).toBe(false);
    expect(isDifferentEpoch(checkpoint, { head: 6, epoch: 'e' })).toBe(true);
    expect(isDifferentEpoch(checkpoint, { head: 9, epoch: 'x' })).toBe(true);
    expect(isDifferentEpoch(checkpoint, null)).toBe(true);
    expect(isDifferentEpoch(emptyCheckpoint, null)).toBe(false);
    expect(isDifferentEpoch({ ...checkpoint, epoch: null }, null)).toBe(false);
  });

  it('D3.9 tells a head behind the documents, and the one to have instead', () => {
    expect(isHeadBehind(checkpoint, null)).toBe(true);
    expect(isHeadBehind(checkpoint, { head: 7, epoch: 'e' })).toBe(false);
    expect(repairedHead(checkpoint, 'new')).toEqual({ head: 7, epoch: 'new' });
  });
});

describe('a scan of a whole collection', () => {
  const scan = { collection: 'entries', after: { id: 'e1', petId: 'p1' }, head: 9 } as const;

  it('moves its collection to the head before its first page', () => {
    const done = afterScan({ ...checkpoint, scan }, scan);
    expect(done).toEqual({ ...checkpoint, seq: { pets: 5, entries: 9 } });
  });

  it('is lost in another history, where nothing is known yet', () => {
    const under = { ...checkpoint, scan };
    const seq = { pets: 0, entries: 0 };
    expect(inHistory(under, { head: 3, epoch: 'new' })).toEqual({
      ...checkpoint,
      seq,
      epoch: 'new',
    });
    expect(inHistory(under, null)).toEqual({ ...checkpoint, seq, epoch: null });
  });
});

describe('the progress of a first pull', () => {
  it('is towards the head at its start, and ends with it', () => {
    const first = { ...checkpoint, complete: false };
    expect(towards(first, { head: 9, epoch: 'e' }).firstPullUntil).toBe(9);
    expect(towards(first, null).firstPullUntil).toBe(0);
    const done = afterPull(towards(first, { head: 9, epoch: 'e' }), { head: 9, epoch: 'e' }, 1);
    expect(done).not.toHaveProperty('firstPullUntil');
  });

  it('is not shown for a later pull', () => {
    expect(towards(checkpoint, { head: 9, epoch: 'e' })).toBe(checkpoint);
  });
});

describe('any checkpoint and head', () => {
  const seq = fc.record({ pets: fc.nat(9), entries: fc.nat(9) });
  const checkpoints = fc.record({ seq, epoch: fc.constantFrom('e', 'x', null) });
  const heads = fc.option(fc.record({ head: fc.nat(9), epoch: fc.constantFrom('e', 'x') }));
  const of = (part: Pick<Checkpoint, 'seq' | 'epoch'>): Checkpoint => ({ ...checkpoint, ...part });

  it('D3.3 a pull never moves the checkpoint back, and reaches the head', () => {
    fc.assert(
      fc.property(checkpoints, heads, (part, head) => {
        const { seq: after } = afterPull(of(part), head, 1);
        for (const name of ['pets', 'entries'] as const)
          expect(after[name]).toBe(Math.max(part.seq[name], head?.head ?? 0));
      }),
      fuzzSeed,
    );
  });

  it('D3.4 a commit moves the checkpoint only from the head that it has read', () => {
    fc.assert(
      fc.property(checkpoints, heads, fc.nat(9), (part, before, writes) => {
        const epoch = before?.epoch ?? 'e';
        const after = { head: (before?.head ?? 0) + writes, epoch };
        const moved = afterCommit(of(part), { before, after });
        const last = before?.head ?? 0;
        const isLevel = part.seq.pets === last && part.seq.entries === last;
        const isSame = part.epoch === null || part.epoch === epoch;
        const expected = isLevel && isSame ? { pets: after.head, entries: after.head } : part.seq;
        expect(moved.seq).toEqual(expected);
      }),
      fuzzSeed,
    );
  });

  it('D3.9 a repaired head is behind nothing that this device has', () => {
    fc.assert(
      fc.property(checkpoints, (part) => {
        const repaired = repairedHead(of(part), 'new');
        expect(isHeadBehind(of(part), repaired)).toBe(false);
        expect(repaired.head).toBe(Math.max(part.seq.pets, part.seq.entries));
        expect(isDifferentEpoch(of(part), repaired)).toBe(true);
      }),
      fuzzSeed,
    );
  });

  it('D3.6 a device that has seen all is in the same history, and level with the head', () => {
    fc.assert(
      fc.property(checkpoints, heads, (part, head) => {
        const isLevel = part.seq.pets === (head?.head ?? 0) && part.seq.entries === part.seq.pets;
        const isSame = part.epoch === (head?.epoch ?? null);
        expect(hasSeenAll(of(part), head)).toBe(isLevel && isSame);
      }),
      fuzzSeed,
    );
  });
});
