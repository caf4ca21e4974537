import { sendJson, type Route } from './exchange.ts';

/** The server listens only once everything is loaded, so it is ready until its store cannot be written any more. */
export const createHealthRoute = (isStoreSound: () => boolean): Route => ({
  name: 'health',
  matches: (_method, pathname) => pathname === '/__/health',
  handle: ({ response }) =>
    isStoreSound()
      ? sendJson(response, 200, { status: 'ready' })
      : sendJson(response, 503, { status: 'store-broken' }),
});
