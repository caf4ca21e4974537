import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describeError, type Log } from '../log.ts';
import { LimitError } from '../limits/limit-error.ts';
import type { Resources } from '../limits/resources.ts';
import {
  createExchange,
  errorBody,
  sendJson,
  sendText,
  setRetryAfter,
  type Route,
} from './exchange.ts';
import type { ClientAddress } from './guards/client-address.ts';
import { isLoopbackHost, type IsKnownHost } from './guards/known-hosts.ts';
import type { Origins } from './guards/origins.ts';
import { discardBody } from './read-body.ts';

export interface RouterDeps {
  readonly routes: readonly Route[];
  /** The pages of the app; null when the server runs without one. */
  readonly pages: Route | null;
  readonly origins: Origins;
  readonly isKnownHost: IsKnownHost;
  /** Whether browsers are told to use https only; never under a loopback name, since it would apply to all of its ports. */
  readonly isHttpsOnly: boolean;
  readonly clientAddress: ClientAddress;
  readonly resources: Resources;
  readonly log: Log;
}

/**
 * - The first matching route answers a request; `pages` answers the rest.
 * - A request with an unknown host, or with two hosts, is refused.
 * - For routes, the origin is checked and preflights are answered; pages are public and need neither.
 * - A handler that reaches a limit answers 429 with Retry-After, unless its protocol has its own form. The router's own
 *   answer is in text, since the SDK takes an error in JSON for the end of a stored sign-in.
 * - A handler that throws answers 500 without the reason; the log gets the name of the error.
 */
export function createRouter(deps: RouterDeps): RequestListener {
  const { routes, pages, origins, isKnownHost, isHttpsOnly, resources, log } = deps;

  const dispatch = async (request: IncomingMessage, response: ServerResponse) => {
    // A client that disconnects during the answer is no error.
    response.on('error', () => undefined);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const url = toUrl(request);
    const { host } = request.headers;
    const hasOneHost = (request.headersDistinct['host']?.length ?? 0) <= 1;
    if (url === undefined || !hasOneHost)
      return sendJson(response, 400, errorBody(400, 'Bad request.'));
    const client = { uid: null, address: deps.clientAddress(request) };
    const exchange = createExchange({ request, response, url, client, resources });
    const refuse = async (code: number, message: string) => {
      // Node would drop the body without charging for it.
      await discardBody(exchange);
      sendJson(response, code, errorBody(code, message));
    };
    if (!isKnownHost(host)) return refuse(421, unknownHost);
    if (isHttpsOnly && host !== undefined && !isLoopbackHost(host)) {
      // For a year, and for this host and none of its subdomains.
      response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    }
    const method = request.method ?? 'GET';
    const route = routes.find((each) => each.matches(method, url.pathname));
    if (route === undefined) {
      if (pages !== null) return pages.handle(exchange);
      await discardBody(exchange);
      return sendText(response, 404, 'Not found');
    }
    if (!origins.isAllowed(request)) return refuse(403, 'This origin is not allowed.');
    if (method === 'OPTIONS') {
      await discardBody(exchange);
      return origins.answerPreflight(request, response);
    }
    origins.allow(request, response);
    return route.handle(exchange);
  };

  return (request, response) => {
    dispatch(request, response).catch((error: unknown) => {
      const isRefused = error instanceof LimitError;
      if (!isRefused) log.error('request failed', describeError(error));
      if (response.headersSent) return void response.destroy();
      if (isRefused) {
        setRetryAfter(response, error);
        return sendText(response, 429, error.message);
      }
      sendText(response, 500, 'Internal error encountered.');
    });
  };
}

const unknownHost = 'This server does not know itself by this host. Start it with --origin.';

function toUrl(request: IncomingMessage): URL | undefined {
  const base = 'http://localhost';
  const target = request.url ?? '/';
  return target.startsWith('/') && URL.canParse(base + target) ? new URL(base + target) : undefined;
}
