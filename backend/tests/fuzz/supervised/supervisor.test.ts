import { expect, it } from 'vitest';
import { createWire } from '../../support/clients/wire.ts';
import { eventually } from '../../support/eventually.ts';
import { startFaultyProxy } from '../../support/proxies/faulty-proxy.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createRandom } from '../random.ts';
import { ask as askInLane } from '../entrances/lane.ts';
import { createJournal } from './journal.ts';
import { createNeighbour } from './neighbour.ts';
import { startSupervised } from './supervisor.ts';

/** A server with planted faults. */
async function setUp() {
  const supervised = await startSupervised(await tempFolder(), 'faulty');
  const wire = createWire(supervised.port);
  await supervised.measureHeap();
  const said = () => supervised.failures().join(' ');
  const finish = async (): Promise<string> => {
    await supervised.finish();
    wire.close();
    return said();
  };
  return {
    port: supervised.port,
    wire,
    said,
    finish,
    ask: (path: string) => wire.ask({ method: 'POST', path }),
  };
}

it('the supervisor notices each planted fault, when it happens', async () => {
  const { ask, said, finish } = await setUp();
  for (const [path, sentence] of [
    ['/fault/throw', /"event":"request failed"/],
    ['/fault/log', /"event":"defect"/],
    ['/fault/warn', /Warning: planted/],
    ['/fault/loop', /stood still for 1[4-9]\d\d ms/],
  ] as const) {
    expect(said()).not.toMatch(sentence);
    await ask(path);
    await eventually(() => expect(said()).toMatch(sentence));
  }
  await ask('/fault/leak');
  expect(said()).not.toMatch(/grew/);
  expect(await finish()).toMatch(/The heap grew by [789]\d\.\d MB/);
});

it('the supervisor notices that the server ends, also with 0', async () => {
  const { ask, finish } = await setUp();
  await ask('/fault/exit');
  expect(await finish()).toMatch(/The server ended: 0/);
});

it('the supervisor notices nothing where nothing is wrong', async () => {
  const { ask, finish } = await setUp();
  await ask('/__/health');
  expect(await finish()).toBe('');
});

it('a client of the fuzz notices a 500, and says what it had sent', async () => {
  const { port, wire } = await setUp();
  const lane = {
    entrance: 'queries',
    id: '0',
    random: createRandom(1),
    wire,
    port,
    host: 1,
    token: '',
    journal: createJournal(),
  };
  const asked = askInLane(lane, { method: 'POST', path: '/fault/throw', body: 'x=y' });
  await expect(asked).rejects.toThrow(/^500 .* for POST \/fault\/throw .*x=y/);
  expect(lane.journal.report()).toContain('/fault/throw');
});

it('a neighbour notices that it is not served any more', async () => {
  const { port } = await setUp();
  const proxy = await startFaultyProxy(() => port);
  const neighbour = await createNeighbour(proxy.port, 2000);
  const running = neighbour.run(() => false);
  await eventually(() => expect(neighbour.latencies.length).toBeGreaterThan(2));
  proxy.setDown(true);
  proxy.swallow();
  proxy.cut();
  await expect(running).rejects.toThrow(/The neighbour waits for/);
  proxy.stop();
});
