import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../../src/clock.ts';
import { createExchange } from '../../src/http/exchange.ts';
import { readBody } from '../../src/http/read-body.ts';
import { createResources } from '../../src/limits/resources.ts';

const resources = createResources({ clock: systemClock });

/** Reads a body of up to 1 MB as a route does, for an anonymous client. */
export const readWhole = (request: IncomingMessage, response: ServerResponse) =>
  readBody(
    createExchange({
      request,
      response,
      resources,
      url: new URL('http://localhost/'),
      client: { uid: null, address: '127.0.0.1' },
    }),
    { maxBytes: 1_000_000 },
  );
