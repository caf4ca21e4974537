import { setTimeout as wait } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../backend/src/json.ts';
import { createBell } from '../../backend/tests/support/bell.ts';
import {
  documentTargetOf,
  openWebChannel,
  type WebChannel,
} from '../../backend/tests/support/clients/web-channel.ts';
import { createWire } from '../../backend/tests/support/clients/wire.ts';
import { createRestOwner } from '../backend/rest-owner.ts';
import { postBy } from './wire-post.ts';

/** The results of the households of one run. */
export interface LoadRecord {
  /** Milliseconds from the start of a commit until the owner's other devices are notified. */
  readonly latenciesMs: number[];
  /** The number of commits that were refused, or that another device did not hear of in time. */
  failed: number;
  /** The number of streams that ended and were opened again. */
  reopened: number;
}

/** An owner with several devices behind one network address, which use the app's protocol. */
export interface Household {
  /** Commits a note on one device, and waits until the others are notified. */
  commit(): Promise<void>;
  close(): Promise<void>;
}

export interface HouseholdPlace {
  readonly port: number;
  /** The number of the network address. */
  readonly host: number;
  readonly devices: number;
}

const hearingLimitMs = 30_000;
const reopenMs = 1_000;

/** Returns the head of `sync/{uid}` in a message of a listener; undefined in a message about something else. */
function headOf({ documentChange }: JsonObject): number | undefined {
  const document = isJsonObject(documentChange) ? documentChange['document'] : undefined;
  const fields = isJsonObject(document) ? document['fields'] : undefined;
  const head = isJsonObject(fields) ? fields['head'] : undefined;
  return isJsonObject(head) ? Number(head['integerValue']) : undefined;
}

/** Opens the household. Each device listens to the owner's head all the time, like the bell in the app. */
export async function openHousehold(
  { port, host, devices }: HouseholdPlace,
  record: LoadRecord,
): Promise<Household> {
  const wire = createWire(port, host);
  const owner = await createRestOwner(wire.origin, postBy(wire));
  const heads = Array.from({ length: devices }, () => 0);
  const channels = new Set<WebChannel>();
  const bell = createBell();
  const ends = { isClosed: false };

  const listen = async (device: number): Promise<void> => {
    while (!ends.isClosed) {
      const channel = await openWebChannel({
        wire,
        name: 'Listen',
        token: owner.idToken,
        messages: [documentTargetOf(2, `sync/${owner.uid}`)],
        onMessage: (message) => {
          heads[device] = headOf(message) ?? heads[device] ?? 0;
          bell.ring();
        },
      });
      if (channel !== undefined) {
        channels.add(channel);
        await channel.ended;
        channels.delete(channel);
      }
      if (ends.isClosed) return;
      record.reopened += 1;
      await wait(reopenMs);
    }
  };
  const listening = heads.map((_, device) => listen(device));

  /** Whether every device but the first, which writes, has heard of the head. */
  const isHeard = (head: number) => heads.slice(1).every((each) => each >= head);
  const hears = async (head: number): Promise<boolean> => {
    const patience = new AbortController();
    const late = wait(hearingLimitMs, undefined, { signal: patience.signal }).catch(
      () => undefined,
    );
    await Promise.race([bell.until(() => isHeard(head)), late]);
    patience.abort();
    return isHeard(head);
  };

  return {
    async commit() {
      const startMs = performance.now();
      try {
        await owner.commitNote();
        if (!(await hears(owner.head()))) record.failed += 1;
      } catch {
        record.failed += 1;
      }
      record.latenciesMs.push(performance.now() - startMs);
    },
    async close() {
      ends.isClosed = true;
      await Promise.all([...channels].map((each) => each.close()));
      await Promise.all(listening);
      wire.close();
    },
  };
}
