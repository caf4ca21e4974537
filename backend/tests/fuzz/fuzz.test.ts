import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import '../conformance/page-window.ts';
import { launchChromium, openTab, writePage } from '../support/clients/chromium.ts';
import { startFaultyProxy, type FaultyProxy } from '../support/proxies/faulty-proxy.ts';
import { bundleForBrowser, importBrowserSdk } from '../support/clients/sdk-bundle.ts';
import { sdkUser } from '../support/clients/sdk-user.ts';
import { sharedFolder } from '../support/servers/start-backend.ts';
import { createFuzzClient, type FuzzClient } from './fuzz-client.ts';
import { startMortalServer } from './mortal-server.ts';
import { createRandom } from './random.ts';
import { createSchedule, type FuzzStep } from './schedule.ts';

/** `PAWPALS_FUZZ_SECONDS=600 PAWPALS_FUZZ_SEED=7 npx vitest run --project system backend/tests/fuzz` */
const seconds = Number(process.env['PAWPALS_FUZZ_SECONDS'] ?? 5);
const seed = Number(process.env['PAWPALS_FUZZ_SEED'] ?? Date.now() % 1_000_000);
/** The SDK waits up to 90 seconds before it opens a stream again that failed some times. */
const settleMs = 150_000;

vi.setConfig({ testTimeout: seconds * 1000 + 3 * settleMs, hookTimeout: 60_000 });

interface Device {
  readonly client: FuzzClient;
  readonly proxy: FaultyProxy;
  /** Whether the client also listens to all documents. */
  readonly isWhole: boolean;
}

const chromium = launchChromium();
const folder = sharedFolder();

async function setUp() {
  const bundle = await bundleForBrowser('conformance');
  const staticDir = await writePage(await folder, { 'start.js': bundle });
  const server = await startMortalServer(`${await folder}/data`, staticDir);
  const sdk = await importBrowserSdk();
  sdk.setLogLevel('silent');

  const inNode = async (isWhole: boolean, settings = {}): Promise<Device> => {
    const proxy = await startFaultyProxy(server.port);
    const { db } = await sdkUser(sdk, proxy.port, settings);
    return { proxy, isWhole, client: createFuzzClient(sdk, db, isWhole) };
  };
  const inPage = async (isWhole: boolean): Promise<Device> => {
    const proxy = await startFaultyProxy(server.port);
    const page = await openTab(await chromium);
    await page.goto(`http://localhost:${proxy.port}`);
    await page.waitForFunction(() => 'conformance' in window);
    await page.evaluate((each) => window.conformance.startFuzz(each), isWhole);
    const client: FuzzClient = {
      write: (write) => page.evaluate((each) => window.conformance.fuzz().write(each), write),
      setOnline: (isOnline) =>
        page.evaluate((each) => window.conformance.fuzz().setOnline(each), isOnline),
      views: () => page.evaluate(() => window.conformance.fuzz().views()),
      settle: () => page.evaluate(() => window.conformance.fuzz().settle()),
      truth: () => page.evaluate(() => window.conformance.fuzz().truth()),
    };
    return { client, proxy, isWhole };
  };

  return {
    server,
    devices: [
      await inNode(true),
      await inNode(false),
      await inNode(false, { experimentalForceLongPolling: true }),
      await inPage(true),
      await inPage(false),
    ],
    fresh: () => inNode(true),
  };
}

type World = Awaited<ReturnType<typeof setUp>>;

async function take(world: World, step: FuzzStep): Promise<void> {
  if (step.kind === 'wait') return wait(step.ms);
  if (step.kind === 'kill') return world.server.kill(step.outageMs);
  if (step.kind === 'outsider') return world.server.commit(step.id, step.n);
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
    case 'outage':
      proxy.setDown(true);
      proxy.swallow();
      await wait(20);
      return proxy.cut();
    case 'recover':
      return proxy.setDown(false);
    case 'offline':
      return client.setOnline(false);
    case 'online':
      return client.setOnline(true);
    default:
      return proxy[step.kind]();
  }
}

/** Restores the network of a device, and makes its SDK retry at once. */
async function recover(device: Device): Promise<void> {
  device.proxy.setDown(false);
  await device.client.setOnline(false);
  await device.client.setOnline(true);
}

describe('clients in a network that fails', () => {
  it(`agree with the server in the end, ${seconds} s of faults, seed ${seed}`, async () => {
    const world = await setUp();
    const next = createSchedule(createRandom(seed), world.devices.length);
    const marks = new Set<string>();
    let increments = 0;
    const endMs = Date.now() + seconds * 1000;
    while (Date.now() < endMs) {
      const step = next();
      if (step.kind === 'write' && step.write.kind === 'add') marks.add(step.write.mark);
      if (step.kind === 'write' && step.write.kind === 'increment') increments++;
      await take(world, step);
    }
    await world.server.recovered();
    await Promise.all(world.devices.map(recover));
    const errors = await Promise.all(world.devices.map(({ client }) => client.settle()));
    expect(errors.flat().join('; ')).toBe('');

    const fresh = await world.fresh();
    const truth = await fresh.client.truth();
    const agree = async () => {
      const shown = await Promise.all(world.devices.map(({ client }) => client.views()));
      const expected = world.devices.map(({ isWhole }) => truth.slice(isWhole ? 0 : 1));
      expect(shown).toEqual(expected);
    };
    await vi.waitFor(agree, { timeout: settleMs, interval: 50 });
    const [everything = ''] = truth;
    const found = [...everything.matchAll(/"(mark\d+)"/g)].map(([, mark]) => mark);
    expect(found.length).toBe(new Set(found).size);
    expect(new Set(found)).toEqual(marks);
    expect(new Set([...everything.matchAll(/"pair",(\d+)/g)].map(([, n]) => n)).size).toBe(
      everything.includes('"pair"') ? 1 : 0,
    );
    const sums = [...everything.matchAll(/"sum",(\d+)/g)].map(([, n]) => Number(n));
    // A batch whose answer was lost takes effect again; none is ever lost.
    expect(sums.reduce((one, other) => one + other, 0)).toBeGreaterThanOrEqual(increments);
    for (const { proxy } of [...world.devices, fresh]) proxy.stop();
  });
});
