import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createResources } from '../../src/limits/resources.ts';
import { limitConnections } from '../../src/http/guards/connection-limit.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';

/** This is attack S5; every connection counts for the address in its header. */
it('connections of one address leave room for those of others, and are given back', async () => {
  const server = createServer();
  const connections = { owner: 3, stranger: 3, address: 3, all: 10 };
  const resources = createResources({ clock: createManualClock(), limits: { connections } });
  let address = '198.51.100.1';
  limitConnections(server, { resources, clientAddress: () => address, isProxy: () => false });
  const accepted: Socket[] = [];
  server.on('connection', (socket: Socket) => void accepted.push(socket.resume()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  const port = typeof bound === 'object' ? (bound?.port ?? 0) : 0;
  onTestFinished(() => void server.close());

  const dial = async () => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const isClosed = once(socket.resume(), 'close').then(() => 'closed');
    await once(server, 'connection');
    return { socket, isClosed };
  };
  const first = await dial();
  for (let at = 0; at < 2; at++) await dial();
  const fourth = await dial();
  expect(await fourth.isClosed).toBe('closed');
  address = '198.51.100.2';
  const other = await dial();
  expect(accepted.at(-1)?.destroyed).toBe(false);
  other.socket.destroy();
  first.socket.destroy();
  await expect.poll(() => resources.level('connections').total()).toBe(2);
  address = '198.51.100.1';
  await dial();
  expect(accepted.at(-1)?.destroyed).toBe(false);

  // Once others have taken all of them, whoever has most gives one back.
  for (const each of [3, 4, 5]) {
    address = `198.51.100.${each}`;
    for (let at = 0; at < 3; at++) await dial();
  }
  expect(resources.level('connections').total()).toBe(10);
  address = '198.51.100.6';
  await dial();
  expect(accepted.at(-1)?.destroyed).toBe(false);
  expect(resources.level('connections').total()).toBe(10);
});

it('connections of an address of which three were cut are closed for a minute, and those of others are not', async () => {
  const server = createServer();
  const clock = createManualClock();
  const resources = createResources({ clock });
  let address = '198.51.100.1';
  limitConnections(server, { resources, clientAddress: () => address, isProxy: () => false });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  const port = typeof bound === 'object' ? (bound?.port ?? 0) : 0;
  onTestFinished(() => void server.close());
  const isAccepted = async () => {
    const socket = connect(port, '127.0.0.1').resume();
    onTestFinished(() => void socket.destroy());
    const [accepted] = await once(server, 'connection');
    return !accepted.destroyed;
  };
  for (let at = 0; at < 2; at++) resources.noteCut(address);
  expect(await isAccepted()).toBe(true);
  for (let at = 0; at < 5; at++) resources.noteCut(address);
  expect(await isAccepted()).toBe(false);
  address = '198.51.100.2';
  expect(await isAccepted()).toBe(true);
  address = '198.51.100.1';
  clock.advance(60_000);
  expect(await isAccepted()).toBe(true);
});
