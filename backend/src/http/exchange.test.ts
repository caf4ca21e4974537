import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { collectGarbage } from '../../tests/support/collect-garbage.ts';
import { createManualClock } from '../../tests/support/fakes/manual-clock.ts';
import type { Client } from '../limits/client.ts';
import { createResources } from '../limits/resources.ts';
import { createExchange } from './exchange.ts';

/** Opens a request and ends it. Returns its client, and its response as long as something keeps it. */
function endedRequest(): { readonly client: Client; readonly response: WeakRef<object> } {
  const response = new EventEmitter();
  const { client } = createExchange({
    // An exchange needs the event of its response alone.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    request: {} as IncomingMessage,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    response: response as ServerResponse,
    url: new URL('http://localhost/'),
    client: { uid: null, address: '192.0.2.1' },
    resources: createResources({ clock: createManualClock() }),
  });
  response.emit('close');
  return { client, response: new WeakRef(response) };
}

it('a client that outlives its request, as that of a stream does, keeps nothing of the request in memory', async () => {
  const { client, response } = endedRequest();
  await nextTurn();
  collectGarbage();
  expect(response.deref()).toBeUndefined();
  expect(client.gone?.aborted).toBe(true);
});
