import type { Sessions } from '../auth/tokens/sessions.ts';
import { errorBody, sendJson, type Route } from './exchange.ts';
import { readBody } from './read-body.ts';

/**
 * An HTTP function of the embedding process at one path. As with a hosting rewrite, it gets the full path. A name such as
 * `POST /` takes requests of one method at a path that otherwise belongs to the app.
 *
 * - A function gets a standard Request with the complete body, up to a limit, and answers with a Response, which is sent as
 *   a whole.
 * - The signal of the request is aborted when the client disconnects.
 * - The function checks credentials itself; here they only tell which client to charge for the body.
 */
export type HttpFunction = (request: Request) => Promise<Response> | Response;

export type HttpFunctions = Readonly<Record<string, HttpFunction>>;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

export function createFunctionRoute(functions: HttpFunctions, sessions: Sessions): Route {
  const byName = new Map(Object.entries(functions));
  const find = (method: string, pathname: string) =>
    byName.get(pathname) ?? byName.get(`${method} ${pathname}`);
  return {
    matches: (method, pathname) => find(method, pathname) !== undefined,
    async handle(exchange) {
      const { request, response, url, resources } = exchange;
      const { method = '', headersDistinct } = request;
      const run = find(method, url.pathname);
      if (run === undefined || !methods.has(method)) {
        return sendJson(response, 405, errorBody(405, 'Method not allowed.'));
      }
      const { authorization } = request.headers;
      const caller = await sessions.requireCaller(authorization, unknown).catch(() => null);
      const client = { ...exchange.client, uid: caller?.uid ?? null };
      const body = await readBody(exchange, { maxBytes: resources.limits.requestBytes, client });
      if (!body.ok && body.reason === 'aborted') return void response.destroy();
      if (!body.ok) return sendJson(response, 413, errorBody(413, 'Request payload is too large.'));
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const answer = await run(
        new Request(url, {
          method,
          headers: Object.entries(headersDistinct).flatMap(([name, values = []]) =>
            values.map((value) => [name, value]),
          ),
          signal: gone.signal,
          ...(method === 'GET' || method === 'HEAD' ? {} : { body: body.bytes }),
        }),
      );
      const bytes = Buffer.from(await answer.arrayBuffer());
      response.statusCode = answer.status;
      response.setHeader('Cache-Control', 'no-store');
      for (const [name, value] of answer.headers) {
        // Each cookie has a header of its own. Any other header replaces that of the server.
        if (name === 'set-cookie') response.appendHeader(name, value);
        else response.setHeader(name, value);
      }
      response.end(method === 'HEAD' ? undefined : bytes);
    },
  };
}

const unknown = () => new Error('The token is not valid.');
