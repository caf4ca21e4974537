import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { transcribe } from '../../../functions/src/index.ts';

type HttpsFunction = typeof transcribe;

/** Adds what the functions framework has added by the time it runs a function: as much of Express as ours ask for. */
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
  // Reflect, since these are no full requests and responses of Express.
  await Reflect.apply(handler, undefined, [request, response]);
}

/** @returns the port of this machine at which the function is until the test has finished. */
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
