import type { Accounts } from '../auth/accounts.ts';
import { AuthError } from '../auth/auth-error.ts';
import { AUTH_METHODS, exchangeRefreshToken } from '../auth/auth-methods.ts';
import { isJsonObject, parseJson, type JsonObject } from '../json.ts';
import { sendJson, type Exchange, type Route } from './exchange.ts';
import { readBody } from './read-body.ts';

const ACCOUNTS = /^\/identitytoolkit\.googleapis\.com\/v1\/accounts:(\w+)$/;
const TOKEN = '/securetoken.googleapis.com/v1/token';
const MAX_AUTH_BODY_BYTES = 100_000;

export function createAuthRoute(accounts: Accounts): Route {
  const call = async ({ request, url }: Exchange): Promise<JsonObject> => {
    const body = await readBody(request, MAX_AUTH_BODY_BYTES);
    if (!body.ok) throw new HttpFailure(413, 'Request payload is too large.');
    if (request.method !== 'POST') throw new HttpFailure(404, 'Not found.');
    if (url.pathname === TOKEN) {
      return exchangeRefreshToken(new URLSearchParams(body.text), accounts);
    }
    const method = AUTH_METHODS.get(ACCOUNTS.exec(url.pathname)?.[1] ?? '');
    if (method === undefined) throw new AuthError('OPERATION_NOT_ALLOWED');
    const json = parseJson(body.text);
    if (!json.ok || !isJsonObject(json.value)) {
      throw new HttpFailure(400, 'Invalid JSON payload received.');
    }
    return method(json.value, accounts);
  };

  return {
    name: 'auth',
    matches: (_method, pathname) =>
      pathname.startsWith('/identitytoolkit.googleapis.com/') ||
      pathname.startsWith('/securetoken.googleapis.com/'),
    async handle(exchange) {
      try {
        sendJson(exchange.response, 200, await call(exchange));
      } catch (error) {
        if (error instanceof HttpFailure) return sendError(exchange, error.status, error.message);
        if (error instanceof AuthError) return sendError(exchange, 400, error.message);
        throw error;
      }
    },
  };
}

class HttpFailure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'HttpFailure';
    this.status = status;
  }
}

function sendError({ response }: Exchange, code: number, message: string): void {
  const errors = [{ message, reason: 'invalid', domain: 'global' }];
  sendJson(response, code, { error: { code, message, errors } });
}
