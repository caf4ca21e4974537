import {
  clockDriftMs,
  correctedMs,
  deviceRecordId,
  type Device,
} from '../../schemas/local/local-record.ts';
import type { Clock } from '../ports.ts';
import { writeRecord } from '../../store/change-documents.ts';
import type { DocumentStore } from '../../store/document-store.ts';

type RecordStore = Pick<DocumentStore, 'readRecord' | 'commit'>;

export type ServerClock = ReturnType<typeof createServerClock>;

/** A smaller change of the correction is ignored. */
const toleranceMs = 500;
/** A clock may be set at any time without an event. */
const measurementCountsMs = 3_600_000;
/** A request that seems to take longer was not awaited all the time: the page slept, or the clock was set. */
const requestMaxMs = 60_000;

/** The times of a request and of its answer, in epoch milliseconds of this device's clock. */
export interface RequestTimes {
  readonly fromMs: number;
  readonly untilMs: number;
}

async function readDevice(store: RecordStore): Promise<Device> {
  const record = await store.readRecord(deviceRecordId);
  if (record?.kind === 'device') return record;
  return { kind: 'device', clockOffsetMs: 0 };
}

/**
 * Corrects this device's clock by the server's.
 *
 * - It is calibrated by a document that this device pushed and reads back: the server's commit time against the middle of
 *   request and answer.
 * - The correction is stored. A session uses the stored one, and measures again with its first push.
 * - A measurement is valid for an hour, or until the clock is seen to go back. The next push measures again.
 * - The error is at most half the duration of a request, which is a minute at most. Stamps stay ordered nevertheless: each
 *   is above all that it has seen.
 */
export function createServerClock(clock: Pick<Clock, 'now'>) {
  let device: Device | null = null;
  /** The time of the last measurement by this device's clock; -Infinity until this session has measured. */
  let measuredAtMs = -Infinity;
  let latestMs = -Infinity;

  const deviceNow = (): number => {
    const nowMs = clock.now();
    if (nowMs < latestMs - clockDriftMs) measuredAtMs = -Infinity;
    latestMs = nowMs;
    return nowMs;
  };

  return {
    /** Reads the stored correction. */
    load: async (store: RecordStore): Promise<void> => {
      device = await readDevice(store);
    },
    now: () => correctedMs(device, deviceNow()),
    /** False while a measurement is due: then a document is read back after the next push. */
    isCalibrated: () => deviceNow() - measuredAtMs < measurementCountsMs,
    /** Stores the correction by a commit, of which the server's time is known. */
    calibrate: async (
      store: RecordStore,
      serverMs: number,
      { fromMs, untilMs }: RequestTimes,
    ): Promise<void> => {
      if (untilMs < fromMs || untilMs - fromMs > requestMaxMs) return;
      const measuredMs = Math.round(serverMs - (fromMs + untilMs) / 2);
      const known = await readDevice(store);
      const isSame = Math.abs(measuredMs - known.clockOffsetMs) < toleranceMs;
      measuredAtMs = deviceNow();
      const clockOffsetMs = isSame ? known.clockOffsetMs : measuredMs;
      device = { ...known, clockOffsetMs, measuredAtMs };
      await writeRecord(store, deviceRecordId, device);
    },
  };
}
