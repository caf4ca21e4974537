import { writeRecord } from '../../store/change-documents.ts';
import { describe, expect, it } from 'vitest';
import { deviceRecordId } from '../../schemas/local/local-record.ts';
import { createMemoryDocumentStore } from '../../tests/support/fakes/memory-document-store.ts';
import { newPet, onServer } from '../../tests/support/fixtures/sync-documents.ts';
import { createServerClock } from './server-clock.ts';

function createRig(nowMs = 10_000) {
  const store = createMemoryDocumentStore();
  const time = { nowMs };
  const open = () =>
    createServerClock({ store, clock: { now: () => time.nowMs }, newId: () => 'device-1' });
  return { store, time, open, clock: open() };
}

const pulled = { ...onServer(newPet('p1'), 7), updatedAtMs: 70_000 };

describe('the corrected clock', () => {
  it('D3.11 is the device clock until it is measured', async () => {
    const { clock } = createRig();
    await clock.load();
    expect(clock.now()).toBe(10_000);
    expect(clock.isCalibrated()).toBe(false);
  });

  it('D3.11 is measured by a document that this device pushed', async () => {
    const { clock, store } = createRig();
    clock.committed([6, 7], 9_000);
    await clock.observe([onServer(newPet('p0'), 3), pulled]);
    expect(clock.isCalibrated()).toBe(true);
    expect(clock.now()).toBe(10_000 + 61_000);
    const record = {
      kind: 'device',
      deviceId: 'device-1',
      clockOffsetMs: 61_000,
      measuredAtMs: 10_000,
    };
    expect(store.records().get(deviceRecordId)).toEqual(record);
  });

  it('D3.11 is not measured by the documents of others, or without a time', async () => {
    const { clock } = createRig();
    clock.committed([8], 9_000);
    await clock.observe([pulled]);
    await clock.observe([{ ...pulled, seq: 8, updatedAtMs: null }]);
    expect(clock.isCalibrated()).toBe(false);
  });

  it('D3.11 is remembered over sessions, but measured anew', async () => {
    const { clock, open } = createRig();
    clock.committed([7], 9_000);
    await clock.observe([pulled]);
    const next = open();
    await next.load();
    expect(next.now()).toBe(71_000);
    expect(next.isCalibrated()).toBe(false);
  });

  it('D3.11 is measured again when a measurement is an hour old', async () => {
    const { clock, time } = createRig();
    clock.committed([7], 9_000);
    await clock.observe([pulled]);
    time.nowMs += 3_599_999;
    expect(clock.isCalibrated()).toBe(true);
    time.nowMs += 1;
    expect(clock.isCalibrated()).toBe(false);
    clock.committed([9], time.nowMs);
    await clock.observe([{ ...onServer(newPet('p1'), 9), updatedAtMs: time.nowMs + 5_000 }]);
    expect(clock.isCalibrated()).toBe(true);
    expect(clock.now()).toBe(time.nowMs + 5_000);
  });

  it('D3.11 is measured again when the clock is seen to go back', async () => {
    const { clock, time } = createRig(10_000_000);
    clock.committed([7], time.nowMs);
    await clock.observe([pulled]);
    time.nowMs += 1_800_000;
    expect(clock.isCalibrated()).toBe(true);
    time.nowMs -= 30_000;
    expect(clock.isCalibrated()).toBe(true);
    time.nowMs -= 90_000;
    expect(clock.isCalibrated()).toBe(false);
  });

  it('D3.11 has no correction after the clock was set back, but is never before the server', async () => {
    const { clock, time } = createRig(100_000_000);
    clock.committed([7], time.nowMs);
    await clock.observe([{ ...pulled, updatedAtMs: 50_000_000 }]);
    expect(clock.now()).toBe(50_000_000);
    time.nowMs = 50_000_900;
    expect(clock.now()).toBe(50_000_900);
    time.nowMs = 7;
    expect(clock.now()).toBe(50_000_000);
  });

  it('D3.11 keeps the id of the device, and a correction that has hardly changed', async () => {
    const { clock, store } = createRig();
    const device = { kind: 'device', deviceId: 'mine', clockOffsetMs: 61_200 } as const;
    await writeRecord(store, deviceRecordId, device);
    await clock.load();
    clock.committed([7], 9_000);
    await clock.observe([pulled]);
    expect(store.records().get(deviceRecordId)).toEqual({ ...device, measuredAtMs: 10_000 });
    clock.committed([7], 0);
    await clock.observe([pulled]);
    expect(clock.now()).toBe(71_200);
  });
});
