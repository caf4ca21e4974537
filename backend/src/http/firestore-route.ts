import type { Database } from '../firestore/documents/database.ts';
import {
  FirestoreError,
  httpCode,
  invalidArgument,
  toFirestoreError,
} from '../firestore/firestore-error.ts';
import type { Authenticate } from '../firestore/streams/firestore-streams.ts';
import { callDocuments } from '../firestore/rest/rest-documents.ts';
import { REST_METHODS } from '../firestore/rest/rest-methods.ts';
import { isJsonObject, parseJson, type JsonObject } from '../json.ts';
import { describeError, type Log } from '../log.ts';
import { sendJson, type Exchange, type Route } from './exchange.ts';
import { MAX_BODY_BYTES, readBody } from './read-body.ts';

/** The methods that answer with a list put their error into a list as well. */
const LIST_METHODS = new Set(['batchGet', 'runQuery', 'runAggregationQuery']);

export interface FirestoreRouteDeps {
  readonly database: Database;
  readonly authenticate: Authenticate;
  readonly log: Log;
}

export function createFirestoreRoute(deps: FirestoreRouteDeps): Route {
  const { database } = deps;
  const call = async ({ request, url }: Exchange, target: Target): Promise<unknown> => {
    const body = await readJson(request);
    const method = request.method === 'POST' ? REST_METHODS.get(target.method) : undefined;
    if (method === undefined && target.method !== '') {
      throw new FirestoreError('UNIMPLEMENTED', 'Method not served.');
    }
    const caller = await deps.authenticate(request.headers.authorization);
    const name = decodeName(target);
    if (method !== undefined) {
      return method({ database, caller, parent: database.names.toParentPath(name), body });
    }
    const httpMethod = request.method ?? '';
    const parameters = url.searchParams;
    return callDocuments({ database, caller, httpMethod, name, parameters, body });
  };

  return {
    name: 'firestore',
    matches: (_method, pathname) => pathname.startsWith('/v1/projects/'),
    async handle(exchange) {
      const target = toTarget(exchange.url.pathname);
      try {
        sendJson(exchange.response, 200, await call(exchange, target));
      } catch (error) {
        if (error instanceof BodyTooLargeError) {
          return sendJson(exchange.response, 413, wrap(target, tooLargeBody));
        }
        if (!(error instanceof FirestoreError)) deps.log.error('call failed', describeError(error));
        const { status, message } = toFirestoreError(error);
        const code = httpCode(status);
        sendJson(exchange.response, code, wrap(target, { error: { code, message, status } }));
      }
    },
  };
}

interface Target {
  /** Still percent-encoded. */
  readonly name: string;
  readonly method: string;
}

/** A document id may contain a colon, a method may not. */
function toTarget(pathname: string): Target {
  const colon = pathname.lastIndexOf(':');
  const isMethod = colon !== -1 && !pathname.slice(colon).includes('/');
  return isMethod
    ? { name: pathname.slice(0, colon), method: pathname.slice(colon + 1) }
    : { name: pathname, method: '' };
}

function decodeName({ name }: Target): string {
  try {
    return decodeURIComponent(name.slice('/v1/'.length));
  } catch {
    throw invalidArgument('The path is not properly percent-encoded.');
  }
}

const wrap = ({ method }: Target, body: unknown): unknown =>
  LIST_METHODS.has(method) ? [body] : body;

class BodyTooLargeError extends Error {}

const tooLargeBody = {
  error: {
    code: 413,
    message: `Request payload size exceeds the limit: ${MAX_BODY_BYTES} bytes.`,
    status: 'INVALID_ARGUMENT',
  },
};

async function readJson(request: Exchange['request']): Promise<JsonObject> {
  const body = await readBody(request);
  if (!body.ok) throw new BodyTooLargeError();
  const json = parseJson(body.text === '' ? '{}' : body.text);
  if (!json.ok || !isJsonObject(json.value)) {
    throw invalidArgument('Invalid JSON payload received.');
  }
  return json.value;
}
