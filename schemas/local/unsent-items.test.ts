import { describe, expect, it } from 'vitest';
import { voiceJob, pictureJob } from '../../tests/support/fixtures/file-records.ts';
import type { OutboxJob } from './outbox-job.ts';
import { placeFile } from './place-file.ts';
import { countUnsent, waitsAlone, type UnsentParts } from './unsent-items.ts';

const unsent = (...ids: readonly string[]) => ({
  count: ids.length,
  hiddenCount: 0,
  rows: ids.map((id) => ({ id, deleted: id.startsWith('gone'), petId: 'p1', seq: null })),
});

/** The unsent documents of a collection, all of them waiting. */
const waiting = (...ids: string[]) => ({ waiting: unsent(...ids), parked: unsent() });

const nothing: UnsentParts = {
  pets: waiting(),
  entries: waiting(),
  files: [],
  placements: new Map(),
};

const counts = (parts: Partial<UnsentParts>) => {
  const { waitingCount, parkedCount, placingCount } = countUnsent({ ...nothing, ...parts });
  return [waitingCount, parkedCount, placingCount];
};

describe('unsent items', () => {
  it('count a voice note once, before and after the server has its entry', () => {
    const files = [voiceJob('e1')];
    expect(counts({ files, entries: waiting('e1') })).toEqual([1, 0, 0]);
    expect(counts({ files, entries: { waiting: unsent(), parked: unsent('e1') } })).toEqual([
      0, 1, 0,
    ]);
    expect(counts({ files })).toEqual([1, 0, 0]);
    expect(counts({ files, entries: waiting('e2') })).toEqual([2, 0, 0]);
  });

  it('count a parked file apart, since its owner decides on it', () => {
    const files = [voiceJob('e1', { stage: 'failed' })];
    expect(counts({ files, entries: waiting('e1') })).toEqual([1, 1, 0]);
    expect(waitsAlone(['e1'], voiceJob('e2', { stage: 'failed' }))).toBe(false);
  });

  it('count a picture apart from its dog', () => {
    expect(counts({ files: [pictureJob('p1')], pets: waiting('p1') })).toEqual([2, 0, 0]);
    expect(waitsAlone(['p1'], pictureJob('p1'))).toBe(true);
  });

  it('count a restored or moved voice note once, with the file that is not placed yet', () => {
    const fields = { fileLocation: 'pets/p1/audios/a.webm' };
    const moved = { collection: 'entries', id: 'e1', petId: 'p1', fields } as const;
    const placements = new Map([placeFile(moved, 'e0', 1)]);
    expect(counts({ placements, entries: waiting('e1') })).toEqual([1, 0, 1]);
    expect(counts({ placements })).toEqual([1, 0, 1]);
  });

  it('count deletions apart from dogs', () => {
    const pets = { waiting: unsent('p1', 'gone-p2'), parked: unsent('gone-p3') };
    const entries = waiting('e1', 'gone-e2');
    const counted = countUnsent({ ...nothing, pets, entries });
    expect(counted).toMatchObject({
      waitingCount: 4,
      parkedCount: 1,
      petCount: 1,
      deletedCount: 3,
    });
  });

  it('count a deleted voice note with the file that the outbox has not given up yet', () => {
    const gone = { ...nothing, entries: waiting('gone-e1') };
    const counted = countUnsent({ ...gone, files: [voiceJob('gone-e1')] });
    expect(counted).toMatchObject({ waitingCount: 1, deletedCount: 0 });
    const refused = countUnsent({ ...gone, files: [voiceJob('gone-e1', { stage: 'failed' })] });
    expect(refused).toMatchObject({ waitingCount: 1, parkedCount: 1, deletedCount: 1 });
  });

  it('are held back by a dog that the server has never had, but not by a refused edit', () => {
    const held = (parts: Partial<UnsentParts>, seq: number | null = null) => {
      const parked = { ...unsent('p1'), rows: [{ id: 'p1', deleted: false, seq }] };
      const pets = { waiting: unsent(), parked };
      return countUnsent({ ...nothing, pets, ...parts }).heldBackCount;
    };
    const ids = Array.from({ length: 60 }, (_, index) => `e${String(index)}`);
    expect(held({ entries: waiting(...ids) })).toBe(60);
    expect(held({ entries: waiting(...ids) }, 4)).toBe(0);
    expect(held({ entries: { waiting: unsent(), parked: unsent('e1') } })).toBe(0);
    expect(held({ entries: waiting('e1'), files: [voiceJob('e1')] })).toBe(1);
    expect(held({ files: [pictureJob('p1'), pictureJob('p2')] })).toBe(1);
    const fields = { profilePicturePath: 'pets/p0/images/profile.jpg' };
    const restored = { collection: 'pets', id: 'p1', petId: 'p1', fields } as const;
    expect(held({ placements: new Map([placeFile(restored, 'p0', 1)]) })).toBe(1);
  });

  it('have recordings that are items of their own', () => {
    const recordings = (files: readonly OutboxJob[], ...ids: readonly string[]) =>
      countUnsent({ ...nothing, files, entries: waiting(...ids) }).recordingCount;
    expect(recordings([voiceJob('e1'), pictureJob('p1')], 'e1')).toBe(0);
    expect(recordings([voiceJob('e1'), pictureJob('p1')])).toBe(1);
    expect(recordings([voiceJob('e1', { stage: 'failed' })], 'e1')).toBe(1);
    expect(recordings([voiceJob('e1', { stage: 'recorded' })])).toBe(0);
  });

  it('count documents that were not read', () => {
    const many = { ...unsent(), count: 501 };
    expect(
      counts({
        pets: { waiting: many, parked: unsent() },
        entries: { waiting: unsent(), parked: many },
      }),
    ).toEqual([501, 501, 0]);
  });
});
