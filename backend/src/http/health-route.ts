import type { IncomingMessage } from 'node:http';
import { isForwarded } from './chooser/chooser-code.ts';
import type { Counters } from './counters.ts';
import { sendJson, type Route } from './exchange.ts';
import { isThisMachine } from './guards/client-address.ts';
import { isLoopbackHost } from './guards/known-hosts.ts';

/**
 * The server listens only once it is ready.
 *
 * - `/__/health` says whether anything can be stored.
 * - `/health` says the same, and gives the counters to a program on this machine that asks the server itself: not through a
 *   proxy, and not under a foreign name.
 */
export interface HealthDeps {
  /** The reason why nothing that makes the store grow is taken, or null. */
  readonly shortage: () => string | null;
  readonly counters: () => Promise<Counters>;
  /** Of what is running; empty for unknown. */
  readonly version: string;
}

const PATHS = new Set(['/__/health', '/health']);

export const createHealthRoute = ({ shortage, counters, version }: HealthDeps): Route => ({
  name: 'health',
  matches: (_method, pathname) => PATHS.has(pathname),
  async handle({ request, response, url }) {
    const reason = shortage();
    const isFull = url.pathname === '/health' && isFromThisMachine(request);
    const details = isFull ? { version, counters: await counters() } : {};
    if (reason === null) sendJson(response, 200, { status: 'ready', ...details });
    else sendJson(response, 503, { status: 'no-room', reason, ...details });
  },
});

function isFromThisMachine(request: IncomingMessage): boolean {
  const { headers, socket } = request;
  const isLocal = isThisMachine(socket.remoteAddress ?? '');
  return isLocal && isLoopbackHost(headers.host ?? '') && !isForwarded(request);
}
