import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import '../conformance/page-window.ts';
import { OPEN_RULES } from '../support/rules-fixture.ts';
import { launchChromium, writePage } from '../support/chromium.ts';
import { startFaultyProxy, type FaultyProxy } from '../support/faulty-proxy.ts';
import { bundleForBrowser, importBrowserSdk } from '../support/sdk-bundle.ts';
import { sdkUser } from '../support/sdk-user.ts';
import { sharedFolder, startBackend } from '../support/start-backend.ts';
import { createFuzzClient, type FuzzClient } from './fuzz-client.ts';
import { createRandom } from './random.ts';
import { createSchedule, type FuzzStep } from './schedule.ts';

/** `PAWPALS_FUZZ_SECONDS=600 PAWPALS_FUZZ_SEED=7 npx vitest run backend/tests/fuzz` */
const SECONDS = Number(process.env['PAWPALS_FUZZ_SECONDS'] ?? 30);
const SEED = Number(process.env['PAWPALS_FUZZ_SEED'] ?? Date.now() % 1_000_000);
const SETTLE_MS = 120_000;

vi.setConfig({ testTimeout: SECONDS * 1000 + 2 * SETTLE_MS, hookTimeout: 60_000 });

interface Device {
  readonly client: FuzzClient;
  readonly proxy: FaultyProxy;
}

const chromium = launchChromium();
const folder = sharedFolder();

async function setUp() {
  const bundle = await bundleForBrowser('../conformance/page.ts');
  const staticDir = await writePage(await folder, { 'start.js': bundle });
  const dataDir = `${await folder}/data`;
  const options = { firestoreRules: OPEN_RULES, staticDir, dataDir };
  let backend = await startBackend(options);
  const { port } = backend;
  const sdk = await importBrowserSdk();
  sdk.setLogLevel('silent');

  const inNode = async (settings = {}): Promise<Device> => {
    const proxy = await startFaultyProxy(port);
    const { db } = await sdkUser(sdk, proxy.port, settings);
    return { proxy, client: createFuzzClient(sdk, db) };
  };
  const inPage = async (): Promise<Device> => {
    const proxy = await startFaultyProxy(port);
    const page = await (await chromium).newPage();
    await page.goto(`http://localhost:${proxy.port}`);
    await page.waitForFunction(() => 'conformance' in window);
    await page.evaluate(() => window.conformance.startFuzz());
    const client: FuzzClient = {
      write: (write) => page.evaluate((each) => window.conformance.fuzz().write(each), write),
      drain: () => page.evaluate(() => window.conformance.fuzz().drain()),
      setOnline: (isOnline) =>
        page.evaluate((each) => window.conformance.fuzz().setOnline(each), isOnline),
      views: () => page.evaluate(() => window.conformance.fuzz().views()),
      settle: () => page.evaluate(() => window.conformance.fuzz().settle()),
      truth: () => page.evaluate(() => window.conformance.fuzz().truth()),
    };
    return { client, proxy };
  };

  return {
    devices: [
      await inNode(),
      await inNode(),
      await inNode({ experimentalForceLongPolling: true }),
      await inPage(),
    ],
    fresh: () => inNode(),
    commit: (id: string, n: number | null) =>
      backend.firestore.commit([
        n === null ? { delete: `fuzz/${id}` } : { set: `fuzz/${id}`, data: { n } },
      ]),
    async restart() {
      await backend.stop();
      backend = await startBackend({ ...options, port });
    },
  };
}

type World = Awaited<ReturnType<typeof setUp>>;

/**
 * The network goes first, then the SDK is told. Told in between, it drops answers that it has read, and thereby
 * acknowledged, but not handled yet: it would send those batches again as new ones.
 */
async function goOffline({ client, proxy }: Device): Promise<void> {
  proxy.swallow();
  await wait(20);
  await client.drain();
  await client.setOnline(false);
  proxy.cut();
}

async function take(world: World, step: FuzzStep): Promise<void> {
  if (step.kind === 'wait') return wait(step.ms);
  if (step.kind === 'restart') return world.restart();
  if (step.kind === 'admin') return world.commit(step.id, step.n);
  const device = world.devices[step.client];
  if (device === undefined) return undefined;
  const { client, proxy } = device;
  switch (step.kind) {
    case 'write':
      return client.write(step.write);
    case 'swallow':
      proxy.swallow();
      await wait(20);
      return proxy.cut();
    case 'offline':
      return goOffline(device);
    case 'online':
      return client.setOnline(true);
    default:
      return proxy[step.kind]();
  }
}

/** As a device that comes back to a good network: its SDK tries again at once. */
async function recover(device: Device): Promise<void> {
  await goOffline(device);
  await device.client.setOnline(true);
}

describe('clients in a network that fails', () => {
  it(`agree with the server in the end, ${SECONDS} s of faults, seed ${SEED}`, async () => {
    const world = await setUp();
    const next = createSchedule(createRandom(SEED), world.devices.length);
    const marks = new Set<string>();
    let increments = 0;
    const endMs = Date.now() + SECONDS * 1000;
    while (Date.now() < endMs) {
      const step = next();
      if (step.kind === 'write' && step.write.kind === 'add') marks.add(step.write.mark);
      if (step.kind === 'write' && step.write.kind === 'increment') increments++;
      await take(world, step);
    }
    await Promise.all(world.devices.map(recover));
    const errors = await Promise.all(world.devices.map(({ client }) => client.settle()));
    expect(errors.flat().join('; ')).toBe('');

    const fresh = await world.fresh();
    const truth = await fresh.client.truth();
    for (const [at, { client }] of world.devices.entries()) {
      const agree = async () => expect(await client.views(), `device ${at}`).toEqual(truth);
      await vi.waitFor(agree, { timeout: SETTLE_MS, interval: 50 });
    }
    const [everything = ''] = truth;
    const found = [...everything.matchAll(/"(mark\d+)"/g)].map(([, mark]) => mark);
    expect(found.length).toBe(new Set(found).size);
    expect(new Set(found)).toEqual(marks);
    expect(new Set([...everything.matchAll(/"pair",(\d+)/g)].map(([, n]) => n)).size).toBe(
      everything.includes('"pair"') ? 1 : 0,
    );
    const sums = [...everything.matchAll(/"sum",(\d+)/g)].map(([, n]) => Number(n));
    // A session that was forgotten without a word may repeat an increment; none is ever lost.
    expect(sums.reduce((one, other) => one + other, 0)).toBeGreaterThanOrEqual(increments);
    for (const { proxy } of [...world.devices, fresh]) proxy.stop();
  });
});
