import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AuthError } from '../auth/auth-error.ts';
import type { GoogleSignIn } from '../auth/google-sign-in.ts';
import { isJsonObject, parseJson } from '../json.ts';
import { chooserPage, framePage } from './account-chooser-page.ts';
import { sendJson, sendText, type Exchange, type Route } from './exchange.ts';
import { readBody } from './read-body.ts';

/**
 * The pages behind the SDK's popup and redirect sign-in, in the place of Google's.
 *
 * - Whoever reaches the chooser can be anybody: it is offered to this machine only, under a loopback
 *   name (a foreign name that resolves to this machine is a rebinding attack), and its answer is
 *   given to its own page only.
 * - Nothing is loaded from elsewhere; scripts and styles are files of their own under a strict policy.
 */
export interface AccountChooserDeps {
  /** Null: not offered. */
  readonly google: GoogleSignIn | null;
  readonly allowedOrigins: readonly string[];
}

const FOLDER = '/emulator/auth/';
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const MAX_CHOICE_BYTES = 10_000;
const CONTENT_TYPES = { js: 'text/javascript', css: 'text/css', html: 'text/html' } as const;

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export async function createAccountChooserRoute(deps: AccountChooserDeps): Promise<Route> {
  const { google } = deps;
  const files = new Map<string, string>();
  for (const name of ['handler.js', 'iframe.js', 'chooser.css']) {
    files.set(name, await readFile(new URL(`account-chooser/${name}`, import.meta.url), 'utf8'));
  }
  const pagesOfApp = ["'self'", 'http://localhost:*', 'http://127.0.0.1:*', ...deps.allowedOrigins];
  const framePolicy = [
    "default-src 'none'",
    "script-src 'self'",
    "base-uri 'none'",
    `frame-ancestors ${pagesOfApp.join(' ')}`,
  ].join('; ');

  const choose = async ({ request, response }: Exchange) => {
    if (google === null || !isOwnPage(request)) return sendText(response, 403, 'Forbidden');
    const body = await readBody(request, MAX_CHOICE_BYTES);
    const json = parseJson(body.ok ? body.text : '');
    const identity = json.ok && isJsonObject(json.value) ? json.value : {};
    const { email, displayName } = identity;
    try {
      const idToken = await google.choose({
        email: typeof email === 'string' ? email : '',
        displayName: typeof displayName === 'string' ? displayName : '',
      });
      return sendJson(response, 200, { idToken });
    } catch (error) {
      if (error instanceof AuthError) return sendJson(response, 400, { error: error.message });
      throw error;
    }
  };

  const show = ({ request, response }: Exchange, name: string) => {
    const file = files.get(name);
    if (file !== undefined) {
      const type = name.endsWith('.js') ? 'js' : 'css';
      return send(response, type, { text: file });
    }
    if (name === 'iframe') return send(response, 'html', { text: framePage, policy: framePolicy });
    if (name !== 'handler') return sendText(response, 404, 'Not found');
    const isOffered = google !== null && isLoopbackName(request);
    const text = chooserPage(isOffered ? google.knownAccounts() : null);
    return send(response, 'html', { text, policy: PAGE_POLICY });
  };

  return {
    name: 'account chooser',
    matches: (_method, pathname) => pathname.startsWith(FOLDER),
    handle(exchange) {
      const { method } = exchange.request;
      const name = exchange.url.pathname.slice(FOLDER.length);
      if (name === 'choose' && method === 'POST') return choose(exchange);
      if (method === 'GET' || method === 'HEAD') return show(exchange, name);
      return sendText(exchange.response, 405, 'Method not allowed');
    },
  };
}

const isLoopbackName = ({ headers }: IncomingMessage): boolean =>
  LOOPBACK_HOST.test(headers.host ?? '');

/** A page of another origin cannot leave the header out, and cannot send JSON unasked. */
function isOwnPage(request: IncomingMessage): boolean {
  const { origin, host, 'content-type': type } = request.headers;
  const isOwn = origin === `http://${host}` || origin === `https://${host}`;
  return isLoopbackName(request) && isOwn && type === 'application/json';
}

function send(
  response: ServerResponse,
  type: keyof typeof CONTENT_TYPES,
  { text, policy }: { readonly text: string; readonly policy?: string },
): void {
  response.writeHead(200, {
    'Content-Type': `${CONTENT_TYPES[type]}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    ...(policy === undefined ? {} : { 'Content-Security-Policy': policy }),
  });
  response.end(text);
}
