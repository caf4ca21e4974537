import { writeRecord } from '../../store/change-documents.ts';
import { describe, expect, it } from 'vitest';
import { checkpointId, deviceRecordId } from '../../schemas/local/local-record.ts';
import { createMemoryDocumentStore } from '../../tests/support/fakes/memory-document-store.ts';
import { newPet } from '../../tests/support/fixtures/sync-documents.ts';
import { createSyncWorld } from '../../tests/support/setups/sync-setup.ts';
import { createServerClock } from './server-clock.ts';

function createRig(nowMs = 10_000) {
  const store = createMemoryDocumentStore();
  const time = { nowMs };
  const open = () => createServerClock({ now: () => time.nowMs });
  return { store, time, open, clock: open() };
}

/** The times of a request that takes none. */
const at = (ms: number) => ({ fromMs: ms, untilMs: ms });

describe('the corrected clock', () => {
  it('D3.11 is the device clock until it is measured', async () => {
    const { clock, store } = createRig();
    await clock.load(store);
    expect(clock.now()).toBe(10_000);
    expect(clock.isCalibrated()).toBe(false);
  });

  it('D3.11 is measured by a commit of this device', async () => {
    const { clock, store } = createRig();
    await clock.calibrate(store, 70_000, at(9_000));
    expect(clock.isCalibrated()).toBe(true);
    expect(clock.now()).toBe(10_000 + 61_000);
    const record = {
      kind: 'device',
      clockOffsetMs: 61_000,
      measuredAtMs: 10_000,
    };
    expect(store.records().get(deviceRecordId)).toEqual(record);
  });

  it.each([
    [-1, null],
    [0, 61_000],
    [60_000, 61_000],
    [60_001, null],
  ])('D3.11 is measured by an answer after %i ms, or not: %j', async (ms, clockOffsetMs) => {
    const { clock, store } = createRig();
    await clock.calibrate(store, 70_000, { fromMs: 9_000 - ms / 2, untilMs: 9_000 + ms / 2 });
    expect(clock.isCalibrated()).toBe(clockOffsetMs !== null);
    expect(store.records().get(deviceRecordId) ?? null).toEqual(
      clockOffsetMs && { kind: 'device', clockOffsetMs, measuredAtMs: 10_000 },
    );
  });

  it('D3.11 is remembered over sessions, but measured anew', async () => {
    const { clock, open, store } = createRig();
    await clock.calibrate(store, 70_000, at(9_000));
    const next = open();
    await next.load(store);
    expect(next.now()).toBe(71_000);
    expect(next.isCalibrated()).toBe(false);
  });

  it('D3.11 is measured again when a measurement is an hour old', async () => {
    const { clock, time, store } = createRig();
    await clock.calibrate(store, 70_000, at(9_000));
    time.nowMs += 3_599_999;
    expect(clock.isCalibrated()).toBe(true);
    time.nowMs += 1;
    expect(clock.isCalibrated()).toBe(false);
    await clock.calibrate(store, time.nowMs + 5_000, at(time.nowMs));
    expect(clock.isCalibrated()).toBe(true);
    expect(clock.now()).toBe(time.nowMs + 5_000);
  });

  it('D3.11 is measured again when the clock is seen to go back', async () => {
    const { clock, time, store } = createRig(10_000_000);
    await clock.calibrate(store, 70_000, at(time.nowMs));
    time.nowMs += 1_800_000;
    expect(clock.isCalibrated()).toBe(true);
    time.nowMs -= 30_000;
    expect(clock.isCalibrated()).toBe(true);
    time.nowMs -= 90_000;
    expect(clock.isCalibrated()).toBe(false);
  });

  it('D3.11 has no correction after the clock was set back, but is never before the server', async () => {
    const { clock, time, store } = createRig(100_000_000);
    await clock.calibrate(store, 50_000_000, at(time.nowMs));
    expect(clock.now()).toBe(50_000_000);
    time.nowMs = 50_000_900;
    expect(clock.now()).toBe(50_000_900);
    time.nowMs = 7;
    expect(clock.now()).toBe(50_000_000);
  });

  it('D3.11 dates the last sync too, which is shown by this clock', async () => {
    const world = createSyncWorld();
    const device = world.device({ now: () => world.time.nowMs - 600_000 });
    device.store.put(newPet('p1'));
    await device.sync();
    await device.sync();
    const checkpoint = device.store.records().get(checkpointId);
    expect(checkpoint).toMatchObject({ syncedAtMs: world.time.nowMs });
  });

  it('D3.11 keeps a correction that has hardly changed', async () => {
    const { clock, store } = createRig();
    const device = { kind: 'device', clockOffsetMs: 61_200 } as const;
    await writeRecord(store, deviceRecordId, device);
    await clock.load(store);
    await clock.calibrate(store, 70_000, at(9_000));
    expect(store.records().get(deviceRecordId)).toEqual({ ...device, measuredAtMs: 10_000 });
    await clock.calibrate(store, 70_000, at(8_300.6));
    expect(clock.now()).toBe(71_200);
    await clock.calibrate(store, 70_000, at(8_300.4));
    expect(clock.now()).toBe(71_700);
  });
});
