import type { IncomingMessage } from 'node:http';
import { isForwarded } from './chooser/chooser-code.ts';
import type { Counters } from './counters.ts';
import { sendJson, type Route } from './exchange.ts';
import { isLoopbackHost } from './guards/known-hosts.ts';

/**
 * The server listens only once everything is loaded, so it is ready until its store cannot be written any more.
 *
 * - `/__/health` says whether it is.
 * - `/health` says the same, and gives the counters to a program on this machine that asks the server itself: not through a
 *   proxy, and not under a foreign name.
 */
export interface HealthDeps {
  readonly isStoreSound: () => boolean;
  readonly counters: () => Promise<Counters>;
  /** Of what is running; empty for unknown. */
  readonly version: string;
}

const PATHS = new Set(['/__/health', '/health']);

export const createHealthRoute = ({ isStoreSound, counters, version }: HealthDeps): Route => ({
  name: 'health',
  matches: (_method, pathname) => PATHS.has(pathname),
  async handle({ request, response, url }) {
    const isSound = isStoreSound();
    const [code, status] = isSound ? [200, 'ready'] : [503, 'store-broken'];
    const isFull = url.pathname === '/health' && isFromThisMachine(request);
    const details = isFull ? { version, counters: await counters() } : {};
    sendJson(response, code, { status, ...details });
  },
});

function isFromThisMachine(request: IncomingMessage): boolean {
  const { headers, socket } = request;
  const isLocal = /^(?:(?:::ffff:)?127\.|::1$)/.test(socket.remoteAddress ?? '');
  return isLocal && isLoopbackHost(headers.host ?? '') && !isForwarded(request);
}
