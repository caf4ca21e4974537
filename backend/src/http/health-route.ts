import type { Counters } from './counters.ts';
import { sendJson, type Route } from './exchange.ts';
import { isThisMachine } from './guards/client-address.ts';
import { isDirect } from './guards/known-hosts.ts';

export interface HealthDeps {
  /** Returns the reason why writes that make the store grow are refused, or null. */
  readonly shortage: () => string | null;
  readonly counters: () => Promise<Counters>;
  readonly version: string;
}

const paths = new Set(['/__/health', '/health']);

/**
 * Both paths answer 200 while data can be stored and 503 while it cannot; the server listens only once it is ready.
 *
 * - `/__/health` answers nothing else.
 * - `/health` adds the version and the counters for a program on this machine that calls the server directly: not through
 *   a proxy, and under a loopback host name.
 */
export const createHealthRoute = ({ shortage, counters, version }: HealthDeps): Route => ({
  matches: (_method, pathname) => paths.has(pathname),
  async handle({ request, response, url }) {
    const reason = shortage();
    const isLocal = isThisMachine(request.socket.remoteAddress ?? '') && isDirect(request);
    const isFull = url.pathname === '/health' && isLocal;
    const details = isFull ? { version, counters: await counters() } : {};
    if (reason === null) sendJson(response, 200, { status: 'ready', ...details });
    else sendJson(response, 503, { status: 'no-room', reason, ...details });
  },
});
