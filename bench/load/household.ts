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

/** What the households of a run have seen of the server. */
export interface LoadRecord {
  /** Milliseconds from the start of a commit until another device of its owner has heard of it. */
  readonly latenciesMs: number[];
  /** Commits that were refused, and those that no other device heard of in time. */
  failed: number;
  /** Streams that ended and were opened again. */
  reopened: number;
}

/** An owner with several devices behind one network address, as the app speaks to the server. */
export interface Household {
  /** Has one device commit a note, and waits until the others have heard. */
  commit(): Promise<void>;
  close(): Promise<void>;
}

export interface HouseholdPlace {
  readonly port: number;
  /** Of the network address. */
  readonly host: number;
  readonly devices: number;
}

const hearingLimitMs = 30_000;
const reopenMs = 1_000;

/** The head of `sync/{uid}` in a message of a listener; undefined where it is of something else. */
function headOf({ documentChange }: JsonObject): number | undefined {
  const document = isJsonObject(documentChange) ? documentChange['document'] : undefined;
  const fields = isJsonObject(document) ? document['fields'] : undefined;
  const head = isJsonObject(fields) ? fields['head'] : undefined;
  return isJsonObject(head) ? Number(head['integerValue']) : undefined;
}

/** Each device listens to the owner's head all the time, which is what rings in the app. */
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

  /** Whether a device that did not write has heard of the number; the first one writes. */
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
