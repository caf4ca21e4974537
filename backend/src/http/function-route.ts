import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Sessions } from '../auth/tokens/sessions.ts';
import { errorBody, sendJson, type Exchange, type Route } from './exchange.ts';
import { readBody } from './read-body.ts';

/**
 * An HTTP function of the embedding process at one path. As with a hosting rewrite, it gets the full path. A name such as
 * `POST /` takes requests of one method at a path that otherwise belongs to the app.
 *
 * - A function gets a standard Request with the complete body, up to a limit, and answers with a Response.
 * - The signal of the request is aborted when the client disconnects.
 * - The answer is streamed at the pace of the client, and stopped when it disconnects.
 * - The function checks credentials itself; here they only tell which client to charge for the body.
 */
export type HttpFunction = (request: Request) => Promise<Response> | Response;

export type HttpFunctions = Readonly<Record<string, HttpFunction>>;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
const methodsWithoutBody = new Set(['GET', 'HEAD']);
/** Headers that belong to the connection, or that the server sets. */
const hopHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer']);

export function createFunctionRoute(functions: HttpFunctions, sessions: Sessions): Route {
  const byName = new Map(Object.entries(functions));
  const find = (method: string, pathname: string) =>
    byName.get(pathname) ?? byName.get(`${method} ${pathname}`);
  return {
    name: 'functions',
    matches: (method, pathname) => find(method, pathname) !== undefined,
    async handle(exchange) {
      const { request, response, url } = exchange;
      if (!methods.has(request.method ?? '')) {
        return sendJson(response, 405, errorBody(405, 'Method not allowed.'));
      }
      const { authorization } = request.headers;
      const caller = await sessions.requireCaller(authorization, unknown).catch(() => null);
      const client = { ...exchange.client, uid: caller?.uid ?? null };
      const { requestBytes: maxBytes } = exchange.resources.limits;
      const body = await readBody(exchange, { maxBytes, client });
      if (!body.ok) return refuse(exchange, body.reason);
      const run = find(request.method ?? '', url.pathname);
      if (run === undefined) return sendJson(response, 404, errorBody(404, 'Not found.'));
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const answer = await run(toRequest(exchange, body.bytes, gone.signal));
      await send(response, answer, request.method === 'HEAD');
    },
  };
}

const unknown = () => new Error('The token is not valid.');

function refuse({ response }: Exchange, reason: 'too-large' | 'aborted'): void {
  if (reason === 'aborted') response.destroy();
  else sendJson(response, 413, errorBody(413, 'Request payload is too large.'));
}

function toRequest(
  { request, url }: Exchange,
  body: Buffer<ArrayBuffer>,
  signal: AbortSignal,
): Request {
  const method = request.method ?? 'GET';
  const address = new URL(url.pathname + url.search, ownOrigin(request));
  return new Request(address, {
    method,
    headers: toHeaders(request),
    signal,
    ...(methodsWithoutBody.has(method) ? {} : { body }),
  });
}

function ownOrigin({ headers: { host }, socket }: IncomingMessage): string {
  const origin = `${'encrypted' in socket ? 'https' : 'http'}://${host ?? 'localhost'}`;
  return URL.canParse(origin) ? origin : 'http://localhost';
}

function toHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    if (hopHeaders.has(name)) continue;
    for (const value of values) headers.append(name, value);
  }
  return headers;
}

async function send(response: ServerResponse, answer: Response, isHead: boolean): Promise<void> {
  const { status, headers, body } = answer;
  if (!headers.has('cache-control')) response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of headers) {
    if (name === 'set-cookie') response.appendHeader(name, value);
    else if (!hopHeaders.has(name)) response.setHeader(name, value);
  }
  response.writeHead(status);
  if (body === null || isHead) {
    await body?.cancel();
    response.end();
    return;
  }
  // A disconnected client needs no answer; `pipeline` has stopped the stream of the function by then.
  let isGone = false;
  response.once('close', () => (isGone = !response.writableFinished));
  await pipeline(body, response).catch((error: unknown) => {
    if (!isGone) throw error;
  });
}
