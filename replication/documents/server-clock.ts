import { deviceRecordId, type Device } from '../../schemas/local-record.ts';
import type { Clock, RemoteDocument } from '../ports.ts';
import type { DocumentStore } from '../store/document-store.ts';

/**
 * This device's clock, corrected by the server's.
 *
 * - Calibrated by a document that this device pushed itself: the server's time of the commit against the middle of
 *   sending and answer. No extra request.
 * - The correction outlives the session; a session trusts it, and measures it anew with its first push.
 * - Wrong by the length of a request at worst. Stamps stay in order even so: each is above all it has seen.
 */
export interface ServerClock {
  /** Reads the stored correction. */
  load(): Promise<void>;
  now(): number;
  /** False until this session has measured: its own pushes must then be pulled again. */
  isCalibrated(): boolean;
  /** Remembers when documents of these seqs were committed. */
  committed(seqs: readonly number[], middleMs: number): void;
  /** Measures, if one of the documents is our own. */
  observe(pulled: readonly RemoteDocument[]): Promise<void>;
}

export interface ServerClockDeps {
  readonly store: DocumentStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
}

/** Below this a new measurement is not worth a write. */
const toleranceMs = 500;

export function createServerClock({ store, clock, newId }: ServerClockDeps): ServerClock {
  let offsetMs = 0;
  let isCalibrated = false;
  const middleMsBySeq = new Map<number, number>();

  const readDevice = async (): Promise<Device> => {
    const record = await store.readRecord(deviceRecordId);
    if (record?.kind === 'device') return record;
    return { kind: 'device', deviceId: newId(), clockOffsetMs: 0 };
  };

  const calibrate = async (measuredMs: number): Promise<void> => {
    isCalibrated = true;
    middleMsBySeq.clear();
    if (Math.abs(measuredMs - offsetMs) < toleranceMs) return;
    offsetMs = measuredMs;
    await store.writeRecord(deviceRecordId, { ...(await readDevice()), clockOffsetMs: measuredMs });
  };

  return {
    load: async () => {
      offsetMs = (await readDevice()).clockOffsetMs;
    },
    now: () => clock.now() + offsetMs,
    isCalibrated: () => isCalibrated,
    committed: (seqs, middleMs) => {
      if (isCalibrated) return;
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
