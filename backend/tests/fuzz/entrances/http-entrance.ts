import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { localAddress } from '../../support/clients/wire.ts';
import type { Entrance, Lane } from './lane.ts';
import { mutateText } from '../input/mutations.ts';
import { anyRequest } from '../input/random-http.ts';

/** The longest wait for an answer, since some requests are long polls. */
const longestWaitMs = 1000;
const ourFault = /^HTTP\/1\.1 500 /m;

/**
 * Sends bytes over raw sockets: requests to every route with valid and invalid methods, targets, headers and bodies,
 * several on one connection, in pieces of any size, interrupted anywhere.
 */
export const httpEntrance: Entrance = (lane) => {
  const { random } = lane;
  return async () => {
    let text = anyRequest(lane);
    if (random.below(6) === 0) text += anyRequest(lane);
    if (random.below(8) === 0) text = mutateText(random, text);
    const bytes = Buffer.from(text, 'latin1');
    const isBroken = random.below(10) === 0;
    await say(lane, isBroken ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes);
  };
};

async function say(lane: Lane, bytes: Buffer): Promise<void> {
  const { random, port } = lane;
  const end = lane.journal.begin(
    lane.entrance,
    `latin1 ${JSON.stringify(bytes.toString('latin1'))}`,
  );
  const socket = connect({ port, host: '127.0.0.1', ...localAddress(lane.host) });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  const pieces = random.pick([1, 1, 2, 10]);
  for (let piece = 0, at = 0; piece < pieces; piece++) {
    const next = piece === pieces - 1 ? bytes.length : at + random.below(bytes.length - at + 1);
    socket.write(bytes.subarray(at, next));
    at = next;
    if (random.below(2) === 0) await nextTurn();
  }
  if (random.below(10) === 0) socket.destroy();
  else if (random.below(4) === 0) socket.end();
  const patience = new AbortController();
  const late = wait(longestWaitMs, undefined, { signal: patience.signal });
  await Promise.race([closed, late.catch(() => undefined)]);
  patience.abort();
  socket.destroy();
  await closed;
  assert.doesNotMatch(answer, ourFault);
  end(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'no answer');
}
