import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLoad } from '../support/servers/crash-load.ts';
import { createRandom } from '../fuzz/random.ts';
import { spawnOpenBackend } from '../support/servers/backend-process.ts';
import { eventually } from '../support/eventually.ts';
import { startPatientProxy } from '../support/proxies/patient-proxy.ts';
import { rawClient } from '../support/clients/raw-client.ts';
import { importBrowserSdk } from '../support/clients/sdk-bundle.ts';
import { sdkUser } from '../support/clients/sdk-user.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** `PAWPALS_CRASH_ROUNDS=200 npx vitest run backend/tests/server/crash.test.ts` */
const rounds = Number(process.env['PAWPALS_CRASH_ROUNDS'] ?? 20);
const seed = Number(process.env['PAWPALS_CRASH_SEED'] ?? Date.now() % 1_000_000);

/** The time limit of a round, for a busy machine with a slow disk. */
const roundMs = 60_000;
vi.setConfig({ testTimeout: rounds * roundMs, hookTimeout: 60_000 });

/** Opens a client of the SDK that listens and counts through all crashes. It sets values, since a batch may be retried. */
async function openCounter(port: number) {
  const sdk = await importBrowserSdk();
  sdk.setLogLevel('silent');
  const { db } = await sdkUser(sdk, port);
  const errors: string[] = [];
  let shown = '';
  let issued = 0;
  onTestFinished(
    sdk.onSnapshot(
      sdk.collection(db, 'counts'),
      { includeMetadataChanges: true },
      ({ docs, metadata }) => {
        if (metadata.fromCache || metadata.hasPendingWrites) return;
        shown = docs.map((each) => `${each.id}=${String(each.get('n'))}`).join(' ');
      },
      (error) => errors.push(error.code),
    ),
  );
  const ref = sdk.doc(db, 'counts/a');
  /** Writes a few batches at a time, so that some are in flight whenever the server dies. */
  const count = async (isOver: () => boolean) => {
    while (!isOver()) {
      const sent = [1, 2, 3].map(() => {
        issued++;
        return sdk.setDoc(ref, { n: issued });
      });
      await Promise.race([Promise.all(sent), wait(50)]).catch((error: unknown) =>
        errors.push(String(error)),
      );
    }
  };
  return {
    count,
    errors,
    shown: () => shown,
    issued: () => issued,
    settled: () => sdk.waitForPendingWrites(db),
  };
}

describe('kill -9 under load', () => {
  it(`loses nothing acknowledged, splits no batch, keeps their order, ${rounds} times, seed ${seed}`, async () => {
    const random = createRandom(seed);
    const dataDir = await tempFolder();
    const proxy = await startPatientProxy();
    const load = createLoad();
    const start = async () => {
      const server = spawnOpenBackend(dataDir);
      const port = await server.port;
      proxy.setTarget(port);
      return { server, client: rawClient({ port }) };
    };

    let running = await start();
    const counter = await openCounter(proxy.port);
    for (let round = 0; round < rounds; round++) {
      const { server, client } = running;
      await load.verify(client);
      let isOver = false;
      const over = () => isOver;
      const work = [load.run(client), counter.count(over)];
      const target = load.acknowledged() + 20 + random.below(120);
      await eventually(() => expect(load.acknowledged()).toBeGreaterThanOrEqual(target), roundMs);
      await wait(random.below(20));
      proxy.setTarget(null);
      server.child.kill('SIGKILL');
      expect(await server.exit).toBe('SIGKILL');
      isOver = true;
      await Promise.all(work);
      running = await start();
    }

    await load.verify(running.client);
    await counter.settled();
    expect(counter.errors).toEqual([]);
    await eventually(() => expect(counter.shown()).toBe(`a=${counter.issued()}`));
    expect(load.acknowledged()).toBeGreaterThanOrEqual(rounds * 20);
  });
});
