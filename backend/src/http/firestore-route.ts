import type { AuthContext } from '../caller.ts';
import { createSender } from '../firestore/commit/sender.ts';
import type { Database } from '../firestore/documents/database.ts';
import {
  FirestoreError,
  httpCode,
  invalidArgument,
  revoked,
  toFirestoreError,
} from '../firestore/firestore-error.ts';
import type { Authenticate } from '../firestore/streams/firestore-streams.ts';
import { restReads, commit } from '../firestore/rest/rest-methods.ts';
import { LimitError } from '../limits/limit-error.ts';
import { isJsonObject, parseJson, type JsonObject } from '../json.ts';
import type { Log } from '../log.ts';
import {
  createListAnswer,
  percentDecoded,
  sendJson,
  setRetryAfter,
  takeAnswer,
  type Exchange,
  type Route,
} from './exchange.ts';
import { discardBody, readBody, type BodyOptions } from './read-body.ts';

export interface FirestoreRouteDeps {
  readonly database: Database;
  readonly authenticate: Authenticate;
  /** Whether the token of a caller that was authenticated earlier has not been revoked since. */
  readonly isCurrent: (caller: AuthContext) => boolean;
  readonly log: Log;
}

export function createFirestoreRoute(deps: FirestoreRouteDeps): Route {
  const { database } = deps;
  const call = async (exchange: Exchange, target: Target): Promise<void> => {
    const { request, response, resources } = exchange;
    const read = restReads.get(target.method);
    const isServed = read !== undefined || target.method === 'commit';
    if (request.method !== 'POST' || !isServed) {
      throw new FirestoreError('UNIMPLEMENTED', 'Method not served.');
    }
    const caller = await deps.authenticate(request.headers.authorization);
    const client = { ...exchange.client, uid: caller?.uid ?? null };
    resources.work.check(client);
    const { requestBytes, readRequestBytes } = resources.limits;
    const isBatch = read === undefined && caller !== null;
    const maxBytes = isBatch ? requestBytes : readRequestBytes;
    const text = await readText(exchange, { client, maxBytes });
    const name = percentDecoded(target.name.slice('/v1/'.length));
    if (name === undefined) throw invalidArgument('The path is not properly percent-encoded.');
    const parent = database.names.toParentPath(name);
    const isCurrent = () => caller === null || deps.isCurrent(caller);
    const toCall = () => {
      // The body may come minutes after the head, and the token be revoked in between.
      if (!isCurrent()) throw revoked();
      return { database, caller, parent, body: toObject(text) };
    };
    const room = takeAnswer(exchange, client);
    if (read === undefined) {
      const sender = createSender({ client, resources, isCurrent });
      // The answer to a write is never refused, since the client would retry the write.
      sendJson(response, 200, await resources.turns.ask(client, () => commit(toCall(), sender)));
      return;
    }
    const answer = createListAnswer(exchange, room);
    await resources.turns.ask(client, () =>
      resources.slices.runAlone(client, read(toCall(), answer.take)),
    );
    await resources.turns.run(client, () => resources.slices.run(client, answer.send()));
  };

  return {
    matches: (_method, pathname) => pathname.startsWith('/v1/projects/'),
    async handle(exchange) {
      const target = toTarget(exchange.url.pathname);
      try {
        await call(exchange, target);
      } catch (error) {
        if (exchange.response.headersSent) throw error;
        await discardBody(exchange);
        if (error instanceof LimitError) setRetryAfter(exchange.response, error);
        const { status, message } = toFirestoreError(error, deps.log, 'call failed');
        const code = error instanceof TooLargeError ? 413 : httpCode(status);
        const body = { error: { code, message, status } };
        // A method that answers with a list answers with a list of one error.
        sendJson(exchange.response, code, restReads.has(target.method) ? [body] : body);
      }
    },
  };
}

interface Target {
  readonly name: string;
  readonly method: string;
}

/** Splits a path at its last colon: a document id may contain a colon, a method may not. */
function toTarget(pathname: string): Target {
  const at = pathname.lastIndexOf(':');
  if (at < pathname.lastIndexOf('/')) return { name: pathname, method: '' };
  return { name: pathname.slice(0, at), method: pathname.slice(at + 1) };
}

class TooLargeError extends FirestoreError {
  constructor(maxBytes: number) {
    super('INVALID_ARGUMENT', `Request payload size exceeds the limit: ${maxBytes} bytes.`);
  }
}

/** The decoding of a larger body takes a turn of its own, because it takes as long as the parsing. */
const largeBytes = 250_000;

async function readText(exchange: Exchange, options: Required<BodyOptions>): Promise<string> {
  const body = await readBody(exchange, options);
  if (!body.ok) throw new TooLargeError(options.maxBytes);
  const decode = () => body.bytes.toString();
  return body.bytes.length < largeBytes
    ? decode()
    : exchange.resources.turns.later(options.client, decode);
}

function toObject(text: string): JsonObject {
  const json = parseJson(text === '' ? '{}' : text);
  if (!json.ok || !isJsonObject(json.value)) {
    throw invalidArgument('Invalid JSON payload received.');
  }
  return json.value;
}
