import {
  clockDriftMs,
  correctedMs,
  deviceRecordId,
  type Device,
} from '../../schemas/local/local-record.ts';
import type { Clock, RemoteDocument } from '../ports.ts';
import { writeRecord } from '../../store/change-documents.ts';
import type { DocumentStore } from '../../store/document-store.ts';

export interface ServerClock {
  /** Reads the stored correction. */
  load(): Promise<void>;
  now(): number;
  /** False while a measurement is due: then this session's own pushes must be pulled again. */
  isCalibrated(): boolean;
  /** Records when documents of these seqs were committed. */
  committed(seqs: readonly number[], middleMs: number): void;
  /** Measures if one of the documents is this session's own. */
  observe(pulled: readonly RemoteDocument[]): Promise<void>;
}

export interface ServerClockDeps {
  readonly store: Pick<DocumentStore, 'readRecord' | 'commit'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
}

/** A smaller change of the correction is ignored. */
const toleranceMs = 500;
/** A clock may be set at any time without an event. */
const measurementCountsMs = 3_600_000;

/**
 * Corrects this device's clock by the server's.
 *
 * - It is calibrated by a document that this device pushed: the server's commit time against the middle of request and
 *   answer. That needs no extra request.
 * - The correction is stored. A session uses the stored one, and measures again with its first push.
 * - A measurement is valid for an hour, or until the clock is seen to go back. The next push measures again.
 * - The error is at most the duration of a request. Stamps stay ordered nevertheless: each is above all that it has
 *   seen.
 */
export function createServerClock({ store, clock, newId }: ServerClockDeps): ServerClock {
  let device: Device | null = null;
  /** The time of the last measurement by this device's clock; -Infinity until this session has measured. */
  let measuredAtMs = -Infinity;
  let latestMs = -Infinity;
  const middleMsBySeq = new Map<number, number>();

  const readDevice = async (): Promise<Device> => {
    const record = await store.readRecord(deviceRecordId);
    if (record?.kind === 'device') return record;
    return { kind: 'device', deviceId: newId(), clockOffsetMs: 0 };
  };

  const deviceNow = (): number => {
    const nowMs = clock.now();
    if (nowMs < latestMs - clockDriftMs) measuredAtMs = -Infinity;
    latestMs = nowMs;
    return nowMs;
  };

  const isCalibrated = (): boolean => deviceNow() - measuredAtMs < measurementCountsMs;

  const calibrate = async (measuredMs: number): Promise<void> => {
    middleMsBySeq.clear();
    const known = await readDevice();
    const isSame = Math.abs(measuredMs - known.clockOffsetMs) < toleranceMs;
    measuredAtMs = deviceNow();
    const clockOffsetMs = isSame ? known.clockOffsetMs : measuredMs;
    device = { ...known, clockOffsetMs, measuredAtMs };
    await writeRecord(store, deviceRecordId, device);
  };

  return {
    load: async () => {
      device = await readDevice();
    },
    now: () => correctedMs(device, deviceNow()),
    isCalibrated,
    committed: (seqs, middleMs) => {
      if (isCalibrated()) return;
      for (const seq of seqs) middleMsBySeq.set(seq, middleMs);
    },
    observe: async (pulled) => {
      const own = pulled.find(({ seq }) => middleMsBySeq.has(seq));
      const middleMs = own && middleMsBySeq.get(own.seq);
      if (middleMs === undefined || !own || own.updatedAtMs === null) return;
      await calibrate(Math.round(own.updatedAtMs - middleMs));
    },
  };
}
