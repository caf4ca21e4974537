import { sendJson, type Route } from './exchange.ts';

/**
 * The server listens only once it is ready.
 *
 * @param shortage the reason why nothing that makes the store grow is taken, or null.
 */
export const createHealthRoute = (shortage: () => string | null): Route => ({
  name: 'health',
  matches: (_method, pathname) => pathname === '/__/health',
  handle({ response }) {
    const reason = shortage();
    if (reason === null) sendJson(response, 200, { status: 'ready' });
    else sendJson(response, 503, { status: 'no-room', reason });
  },
});
