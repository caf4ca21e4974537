import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { transcribe } from '../../../functions/src/index.ts';

type HttpsFunction = typeof transcribe;

/** Runs a function with the parts of Express that the functions framework adds and that these functions use. */
async function run(
  handler: HttpsFunction,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = Object.assign(incoming, { rawBody: await buffer(incoming) });
  const response = Object.assign(outgoing, {
    status: (code: number) => (outgoing.statusCode = code),
    send: (body: Buffer) => outgoing.end(body),
  });
  // `Reflect.apply` avoids the types, since these are no complete Express requests and responses.
  await Reflect.apply(handler, undefined, [request, response]);
}

/** Serves a function until the test has finished. @returns the local port. */
export async function serveFunction(handler: HttpsFunction): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    run(handler, incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
