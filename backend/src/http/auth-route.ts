import { AuthError } from '../auth/auth-error.ts';
import { authMethods, exchangeRefreshToken } from '../auth/auth-methods.ts';
import type { AuthService } from '../auth/auth-service.ts';
import { encodedPasswordPolicy } from '../auth/passwords/password-policy.ts';
import { LimitError } from '../limits/limit-error.ts';
import { isJsonObject, parseJson, type JsonObject } from '../json.ts';
import { StoreError } from '../store/key-value-store.ts';
import { sendJson, sendText, setRetryAfter, type Exchange, type Route } from './exchange.ts';
import { readBody } from './read-body.ts';

const accountsPath = /^\/identitytoolkit\.googleapis\.com\/v1\/accounts:(\w+)$/;
const policyPath = '/identitytoolkit.googleapis.com/v2/passwordPolicy';
const projectPath = '/identitytoolkit.googleapis.com/v1/projects';
const tokenPath = '/securetoken.googleapis.com/v1/token';
const lookupPath = '/identitytoolkit.googleapis.com/v1/accounts:lookup';
const maxApiKeyLength = 200;

export interface AuthRouteDeps {
  readonly service: AuthService;
  readonly projectId: string;
  /** Returns the reason to refuse new accounts; null while there is room for them. */
  readonly shortage: () => string | null;
}

export function createAuthRoute({ service, projectId, shortage }: AuthRouteDeps): Route {
  const pages = new Map<string, JsonObject>([
    [policyPath, encodedPasswordPolicy],
    [projectPath, { projectId, authorizedDomains: ['localhost', '127.0.0.1'] }],
  ]);

  const call = async (exchange: Exchange): Promise<JsonObject> => {
    const { request, url, client, resources } = exchange;
    const body = await readBody(exchange, { maxBytes: resources.limits.authRequestBytes });
    if (!body.ok) throw failure(413, 'Request payload is too large.');
    const text = body.bytes.toString();
    const page = request.method === 'GET' ? pages.get(url.pathname) : undefined;
    if (page !== undefined) return page;
    if (request.method !== 'POST') throw failure(404, 'Not found.');
    if (url.pathname === tokenPath) {
      return resources.turns.ask(client, () =>
        exchangeRefreshToken(new URLSearchParams(text), service),
      );
    }
    const name = accountsPath.exec(url.pathname)?.[1] ?? '';
    const reason = name === 'signUp' ? shortage() : null;
    if (reason !== null) throw failure(503, reason);
    const method = authMethods.get(name);
    if (method === undefined) throw new AuthError('OPERATION_NOT_ALLOWED');
    const json = parseJson(text);
    if (!json.ok || !isJsonObject(json.value)) {
      throw failure(400, 'Invalid JSON payload received.');
    }
    const { value } = json;
    return resources.turns.ask(client, () =>
      method(value, {
        service,
        address: client.address,
        apiKey: (url.searchParams.get('key') ?? '').slice(0, maxApiKeyLength),
        pageOrigin: request.headers.origin ?? `http://${request.headers.host ?? 'localhost'}`,
      }),
    );
  };

  return {
    matches: (_method, pathname) =>
      pathname.startsWith('/identitytoolkit.googleapis.com/') ||
      pathname.startsWith('/securetoken.googleapis.com/'),
    async handle(exchange) {
      try {
        sendJson(exchange.response, 200, await call(exchange));
      } catch (error) {
        if (error instanceof AuthError) return sendError(exchange, error.status, error.message);
        if (error instanceof LimitError) {
          setRetryAfter(exchange.response, error);
          return sendTemporary(exchange, 429, 'TOO_MANY_ATTEMPTS_TRY_LATER');
        }
        if (error instanceof StoreError) return sendTemporary(exchange, 503, error.message);
        throw error;
      }
    },
  };
}

const failure = (status: number, message: string) => new AuthError(message, undefined, status);

/**
 * Sends an error that says nothing about the account. The SDK validates a stored sign-in when it starts and removes it
 * after any error in JSON; an error in text counts as a broken connection.
 */
function sendTemporary(exchange: Exchange, code: number, message: string): void {
  const { pathname } = exchange.url;
  if (pathname !== tokenPath && pathname !== lookupPath) sendError(exchange, code, message);
  else sendText(exchange.response, code, message);
}

function sendError({ response }: Exchange, code: number, message: string): void {
  const errors = [{ message, reason: 'invalid', domain: 'global' }];
  sendJson(response, code, { error: { code, message, errors } });
}
