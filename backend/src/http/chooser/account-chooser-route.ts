import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AuthError } from '../../auth/auth-error.ts';
import type { GoogleSignIn } from '../../auth/google/google-sign-in.ts';
import { isJsonObject, parseJson, type JsonObject } from '../../json.ts';
import { chooserPage, codePage, framePage, unavailablePage } from './account-chooser-page.ts';
import { chooserCookie, hasChooserCookie, isChooserCode } from './chooser-code.ts';
import { sendJson, sender, sendText, type Exchange, type Route } from '../exchange.ts';
import { isDirect } from '../guards/known-hosts.ts';
import { readBody } from '../read-body.ts';

export interface AccountChooserDeps {
  /** The sign-in service; null when the chooser is off. */
  readonly google: GoogleSignIn | null;
  /** The code that a browser must present, see `chooser-code.ts`. */
  readonly code: string;
}

const folder = '/emulator/auth/';
const maxChoiceBytes = 10_000;
const sendScript = sender('text/javascript');
const sendStyle = sender('text/css');
const sendHtml = sender('text/html');

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const framePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self' http://localhost:* http://127.0.0.1:*",
].join('; ');

/**
 * Serves the pages behind the SDK's popup and redirect sign-in, in place of Google's.
 *
 * - The chooser signs in to any account, so it is restricted to browsers on this machine that have the code of the
 *   terminal, under a loopback name (a foreign name that resolves to this machine is a rebinding attack) and not through a
 *   proxy. Only its own page gets its answer.
 * - Nothing is loaded from other origins; scripts and styles are separate files under a strict policy.
 */
export async function createAccountChooserRoute(deps: AccountChooserDeps): Promise<Route> {
  const { google, code } = deps;
  const files = new Map<string, string>();
  for (const name of ['handler.js', 'iframe.js', 'chooser.css']) {
    files.set(name, await readFile(new URL(`account-chooser/${name}`, import.meta.url), 'utf8'));
  }
  const isOffered = (request: IncomingMessage) => google !== null && isDirect(request);

  const unlock = async (exchange: Exchange) => {
    const { request, response } = exchange;
    const isAsked = isOffered(request) && isOwnPage(request);
    const typed = isAsked ? (await readObject(exchange))['code'] : undefined;
    if (typeof typed !== 'string' || !isChooserCode(typed, code)) {
      return sendText(response, 403, 'Forbidden');
    }
    const cookie = `${chooserCookie}=${code}; Path=${folder}; HttpOnly; SameSite=Strict`;
    response.setHeader('Set-Cookie', cookie);
    return sendJson(response, 200, {});
  };

  const choose = async (exchange: Exchange) => {
    const { request, response } = exchange;
    const isOpen = isOffered(request) && isOwnPage(request) && hasChooserCookie(request, code);
    if (google === null || !isOpen) return sendText(response, 403, 'Forbidden');
    const { email, displayName } = await readObject(exchange);
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
    response.setHeader('Referrer-Policy', 'no-referrer');
    const file = files.get(name);
    if (file !== undefined) {
      return name.endsWith('.js')
        ? sendScript(response, 200, file)
        : sendStyle(response, 200, file);
    }
    if (name === 'iframe') return sendPage(response, framePage, framePolicy);
    if (name !== 'handler') return sendText(response, 404, 'Not found');
    const isOpen = hasChooserCookie(request, code);
    const text = !isOffered(request)
      ? unavailablePage
      : isOpen
        ? chooserPage(google?.knownAccounts() ?? [])
        : codePage;
    return sendPage(response, text, pagePolicy);
  };

  return {
    matches: (_method, pathname) => pathname.startsWith(folder),
    handle(exchange) {
      const { method } = exchange.request;
      const name = exchange.url.pathname.slice(folder.length);
      if (name === 'unlock' && method === 'POST') return unlock(exchange);
      if (name === 'choose' && method === 'POST') return choose(exchange);
      if (method === 'GET' || method === 'HEAD') return show(exchange, name);
      return sendText(exchange.response, 405, 'Method not allowed');
    },
  };
}

async function readObject(exchange: Exchange): Promise<JsonObject> {
  const body = await readBody(exchange, { maxBytes: maxChoiceBytes });
  const json = parseJson(body.ok ? body.bytes.toString() : '');
  return json.ok && isJsonObject(json.value) ? json.value : {};
}

/** Whether the request comes from our page. Other origins cannot omit the header, nor send JSON without a preflight. */
function isOwnPage(request: IncomingMessage): boolean {
  const { origin, host, 'content-type': type } = request.headers;
  const isOwn = origin === `http://${host}` || origin === `https://${host}`;
  return isOwn && type === 'application/json';
}

function sendPage(response: ServerResponse, html: string, policy: string): void {
  response.setHeader('Content-Security-Policy', policy);
  sendHtml(response, 200, html);
}
