import { describe, expect, it } from 'vitest';
import {
  clockDriftMs,
  correctedMs,
  deletePetJobId,
  emptyCheckpoint,
  placeFileJobId,
  recordsOf,
  removeFileJobId,
  sweepPetJobId,
  type Device,
  type LocalRecord,
} from './local-record.ts';

describe('the records of a kind', () => {
  const records = new Map<string, LocalRecord>([
    ['checkpoint', emptyCheckpoint],
    ['delete-pet:p1', { kind: 'delete-pet', petId: 'p1' }],
    ['sweep-pet:p1', { kind: 'sweep-pet', petId: 'p1' }],
    ['delete-pet:p2', { kind: 'delete-pet', petId: 'p2' }],
  ]);

  it('are found with their ids, in their order', () => {
    expect([...recordsOf(records, 'delete-pet')]).toEqual([
      ['delete-pet:p1', { kind: 'delete-pet', petId: 'p1' }],
      ['delete-pet:p2', { kind: 'delete-pet', petId: 'p2' }],
    ]);
  });

  it('are none if there is none', () => {
    expect(recordsOf(records, 'device').size).toBe(0);
  });
});

describe('the id of a job', () => {
  it('tells documents apart, and jobs of one document', () => {
    const ids = ['p1', 'p2'].flatMap((id) => [
      deletePetJobId(id),
      sweepPetJobId(id),
      placeFileJobId(id),
      removeFileJobId({ documentId: id, objectName: 'a' }),
    ]);
    expect(new Set(ids).size).toBe(8);
  });

  it('of a removal tells the files of a document apart, and is the same for the same file', () => {
    const idOf = (objectName: string): string => removeFileJobId({ documentId: 'e1', objectName });
    const names = ['a', 'b', 'ab', 'ba', 'pets/p1/audios/a.webm', 'pets/p2/audios/a.webm', ''];
    expect(new Set(names.map(idOf)).size).toBe(names.length);
    for (const name of names) expect(idOf(name)).toBe(idOf(name));
  });

  it('of a removal stays short, however long the name of the file is', () => {
    const id = removeFileJobId({ documentId: '', objectName: 'ü'.repeat(1_024) });
    expect(id).toMatch(/^remove-file:[0-9a-z]{1,6}:$/);
  });
});

describe('the corrected clock', () => {
  const device: Device = {
    kind: 'device',
    clockOffsetMs: 5_000,
    measuredAtMs: 1_000_000,
  };

  it('is this device’s clock until the offset is known', () => {
    expect(correctedMs(undefined, 7)).toBe(7);
    expect(correctedMs(null, 7)).toBe(7);
    expect(correctedMs(emptyCheckpoint, 7)).toBe(7);
  });

  it('adds the offset after the measurement', () => {
    expect(correctedMs(device, 2_000_000)).toBe(2_005_000);
    expect(correctedMs({ ...device, clockOffsetMs: -5_000 }, 2_000_000)).toBe(1_995_000);
  });

  it('adds the offset of a device that has no time of measurement', () => {
    expect(correctedMs({ kind: 'device', clockOffsetMs: 5 }, 7)).toBe(12);
  });

  it('takes a clock for right that is behind the measurement by no more than its drift', () => {
    const edge = 1_000_000 - clockDriftMs;
    expect(correctedMs(device, edge)).toBe(edge + 5_000);
  });

  it('does not add the offset to a clock that was set back, and is never before the server’s time', () => {
    const before = 1_000_000 - clockDriftMs - 1;
    expect(correctedMs(device, before)).toBe(1_005_000);
    const slow: Device = { ...device, clockOffsetMs: -900_000 };
    expect(correctedMs(slow, before)).toBe(before);
  });
});
