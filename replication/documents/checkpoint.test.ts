import { describe, expect, it } from 'vitest';
import { emptyCheckpoint, type Checkpoint } from '../../schemas/local/local-record.ts';
import { createMemoryDocumentStore } from '../../tests/support/fakes/memory-document-store.ts';
import {
  afterCommit,
  afterPage,
  afterPull,
  hasSeenAll,
  isHeadBehind,
  isDifferentEpoch,
  isUnmarkedRestore,
  readCheckpoint,
  repairedHead,
  writeCheckpoint,
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
    await writeCheckpoint(store, checkpoint);
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
  });

  it('D3.8 tells a restore that kept its epoch', () => {
    expect(isUnmarkedRestore(checkpoint, { head: 6, epoch: 'e' })).toBe(true);
    expect(isUnmarkedRestore(checkpoint, { head: 6, epoch: 'x' })).toBe(false);
    expect(isUnmarkedRestore(checkpoint, null)).toBe(false);
  });

  it('D3.9 tells a head behind the documents, and the one to have instead', () => {
    expect(isHeadBehind(checkpoint, null)).toBe(true);
    expect(isHeadBehind(checkpoint, { head: 7, epoch: 'e' })).toBe(false);
    expect(repairedHead(checkpoint, 'new')).toEqual({ head: 7, epoch: 'new' });
  });
});
