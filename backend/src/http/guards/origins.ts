import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopbackHost } from './known-hosts.ts';

const preflightSeconds = '3600';
/** The response headers of channels, resumable uploads and range downloads that pages may read. */
const exposedHeaders = [
  'X-HTTP-Session-Id, X-Client-Wire-Protocol',
  'X-Goog-Upload-Status, X-Goog-Upload-URL, X-Goog-Upload-Size-Received',
  'Accept-Ranges, Content-Length, Content-Range, ETag',
].join(', ');

export type Origins = ReturnType<typeof createOrigins>;

/**
 * - Requests without an `Origin` header are not cross-site and are allowed.
 * - The server's own origin, loopback origins and the public one are allowed. All others are refused here, because
 *   channel requests need no preflight that could stop them.
 */
export function createOrigins(publicOrigin: string | undefined) {
  return {
    allow,
    isAllowed({ headers: { origin, host } }: IncomingMessage) {
      if (origin === undefined || origin === publicOrigin) return true;
      const url = URL.canParse(origin) ? new URL(origin) : null;
      return url !== null && (isLoopbackHost(url.host) || url.host === host);
    },
    answerPreflight(request: IncomingMessage, response: ServerResponse) {
      allow(request, response);
      const requested = request.headers['access-control-request-headers'];
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE, OPTIONS');
      if (requested !== undefined) response.setHeader('Access-Control-Allow-Headers', requested);
      if (request.headers['access-control-request-private-network'] === 'true') {
        response.setHeader('Access-Control-Allow-Private-Network', 'true');
      }
      response.setHeader('Access-Control-Max-Age', preflightSeconds);
      response.writeHead(204).end();
    },
  };
}

/** Lets the page of an allowed origin read the answer. It names the origin because `*` does not work with credentials. */
function allow(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
  response.setHeader('Vary', 'Origin');
}
