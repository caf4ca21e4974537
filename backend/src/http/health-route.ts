import { sendJson, type Route } from './exchange.ts';

/** The server listens only once everything is loaded, so whoever gets an answer may start. */
export const healthRoute: Route = {
  name: 'health',
  matches: (_method, pathname) => pathname === '/__/health',
  handle: ({ response }) => sendJson(response, 200, { status: 'ready' }),
};
