import { expect, it } from 'vitest';
import { createWire } from '../../support/clients/wire.ts';
import { eventually } from '../../support/eventually.ts';
import { tempFolder } from '../../support/temp-folder.ts';
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
  return { said, finish, ask: (path: string) => wire.ask({ method: 'POST', path }) };
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
