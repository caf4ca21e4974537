import { onTestFinished } from 'vitest';
import { createBell } from '../../support/bell.ts';
import { importBrowserSdk } from '../../support/clients/sdk-bundle.ts';
import { sdkUser } from '../../support/clients/sdk-user.ts';

/** Two ordinary devices of the SDK: one writes all the time, the other one listens. */
export interface Neighbour {
  /** Writes until `isOver`. @throws when a write is refused, or reaches the other device too late. */
  run(isOver: () => boolean): Promise<void>;
  /** The milliseconds from each write until the other device received it. */
  readonly latencies: readonly number[];
}

/** A write that does not arrive within this time is lost; it allows for a machine that is busy with the fuzz test. */
const defaultPatienceMs = 10_000;

interface Expected {
  readonly work: Promise<unknown>;
  readonly what: string;
}

async function inTime({ work, what }: Expected, patienceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The neighbour waits for ${what}.`)), patienceMs);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export async function createNeighbour(
  port: number,
  patienceMs = defaultPatienceMs,
): Promise<Neighbour> {
  const sdk = await importBrowserSdk();
  sdk.setLogLevel('silent');
  const [writer, listener] = [await sdkUser(sdk, port), await sdkUser(sdk, port)];
  const path = 'neighbours/one';
  const latencies: number[] = [];
  const heard = { n: -1, isOnline: false, error: '' };
  const bell = createBell();
  const stop = sdk.onSnapshot(
    sdk.doc(listener.db, path),
    { includeMetadataChanges: true },
    (snapshot) => {
      heard.n = Number(snapshot.get('n') ?? -1);
      heard.isOnline = !snapshot.metadata.fromCache;
      bell.ring();
    },
    (error) => {
      heard.error = error.code;
      bell.ring();
    },
  );
  onTestFinished(stop);

  const hears = async (n: number): Promise<void> => {
    await bell.until(() => (heard.n === n && heard.isOnline) || heard.error !== '');
    if (heard.error !== '') throw new Error(`The neighbour's listener ended: ${heard.error}`);
  };
  return {
    latencies,
    async run(isOver) {
      for (let n = 0; !isOver(); n++) {
        const startMs = performance.now();
        const written = sdk.setDoc(sdk.doc(writer.db, path), { n });
        await inTime({ work: written, what: 'its acknowledgement' }, patienceMs);
        await inTime({ work: hears(n), what: 'what it wrote' }, patienceMs);
        latencies.push(performance.now() - startMs);
      }
    },
  };
}
