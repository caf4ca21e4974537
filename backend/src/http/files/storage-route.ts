import type { User } from '../../caller.ts';
import type { Client } from '../../limits/client.ts';
import { LimitError } from '../../limits/limit-error.ts';
import { describeError, type Log } from '../../log.ts';
import { checkNameLength, checkObjectName } from '../../storage/objects/object-name.ts';
import { StoreError } from '../../store/key-value-store.ts';
import { StorageError, httpCodes, invalid, notFound } from '../../storage/storage-error.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  errorBody,
  percentDecoded,
  sendJson,
  sendLarge,
  setRetryAfter,
  type Exchange,
  type Route,
} from '../exchange.ts';
import { discardBody } from '../read-body.ts';
import { checkDestination, sendObject } from './storage-download.ts';
import { handleUpload, readMetadata, sendObjectJson, type StorageCall } from './storage-upload.ts';

export interface StorageRouteDeps {
  readonly storage: Storage;
  /** Resolves to the caller, null without a token. @throws {StorageError} for an invalid token. */
  readonly authenticate: (authorization: string | undefined) => Promise<User>;
  readonly log: Log;
}

const path = /^\/v0\/b\/([^/]+)\/o(?:\/([^/]*))?$/;
const maxListResults = 1000;
const retrySeconds = 60;
/** The processor time for a request to upload, however short: it cannot be measured, as it waits for the disk several times. */
const uploadMs = 1;

export function createStorageRoute(deps: StorageRouteDeps): Route {
  const { storage, log } = deps;
  const { bucket } = storage;

  /** Authenticates a request and charges it to its user until it is answered, since it may keep a file open. */
  const authenticate = async (exchange: Exchange, authorization: string | undefined) => {
    const user = await deps.authenticate(authorization);
    const client: Client = { ...exchange.client, uid: user?.uid ?? null };
    exchange.take('transfers', client, 1);
    return { storage, exchange: { ...exchange, client }, user };
  };

  const call = async (exchange: Exchange): Promise<void> => {
    const { request, url } = exchange;
    const name = objectNameOf(exchange, bucket.name);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (name !== null && method === 'GET' && url.searchParams.get('alt') === 'media') {
      return download(exchange, name);
    }
    const authenticated = await authenticate(exchange, request.headers.authorization);
    if (name !== null) return handleObject(authenticated, name, method);
    if (method === 'GET') return list(authenticated);
    if (method === 'POST') {
      const { client, resources } = authenticated.exchange;
      await resources.turns.ask(client, () => resources.work.charge(client, uploadMs));
      return handleUpload(authenticated);
    }
    throw invalid('Method not served.');
  };

  const handleObject = async (
    { exchange, user }: StorageCall,
    name: string,
    method: string | undefined,
  ) => {
    const { response, client, resources } = exchange;
    const inTurn = <Result>(work: () => Result | Promise<Result>) =>
      resources.turns.ask(client, work);
    switch (method) {
      case 'GET':
        return sendObjectJson(response, await inTurn(() => bucket.get(user, name)), storage);
      case 'PATCH': {
        const metadata = await readMetadata(exchange);
        const changed = await inTurn(() => bucket.update(user, name, metadata));
        return sendObjectJson(response, changed, storage);
      }
      case 'DELETE':
        await inTurn(() => bucket.remove(user, name));
        return void response.writeHead(204).end();
      default:
        // As on hosted Firebase, only administrators create and revoke tokens; here they do it from code.
        throw new StorageError('denied', 'Missing admin credentials.');
    }
  };

  const download = async (exchange: Exchange, name: string) => {
    const { request, url } = exchange;
    checkDestination(request.headers);
    const token = url.searchParams.get('token');
    const isShared = token !== null && bucket.isShared(name, token);
    const { authorization } = request.headers;
    const { user, exchange: own } = await authenticate(
      exchange,
      isShared ? undefined : authorization,
    );
    const open = () => bucket.open(user, name, token);
    await sendObject(exchange, await own.resources.turns.ask(own.client, open));
  };

  const list = async ({ exchange, user }: StorageCall) => {
    const query = listQuery(exchange.url.searchParams);
    const { items, prefixes, next } = await exchange.resources.turns.ask(exchange.client, () =>
      bucket.list(user, query),
    );
    sendLarge(exchange, {
      prefixes,
      items: items.map((each) => ({ name: each, bucket: bucket.name })),
      ...(next === null ? {} : { nextPageToken: Buffer.from(next).toString('base64url') }),
    });
  };

  return {
    matches: (_method, pathname) => pathname.startsWith('/v0/'),
    async handle(exchange) {
      const { response } = exchange;
      try {
        await call(exchange);
      } catch (error) {
        if (response.headersSent) throw error;
        await discardBody(exchange);
        const failure =
          error instanceof StoreError
            ? new StorageError('no-room', error.message)
            : error instanceof LimitError
              ? new StorageError('too-many', error.message)
              : error;
        const isExpected = failure instanceof StorageError;
        if (!isExpected) log.error('call failed', describeError(error));
        const code = isExpected ? httpCodes[failure.code] : 500;
        const message = isExpected ? failure.message : 'Internal error encountered.';
        if (code === 429 || code === 503) response.setHeader('Retry-After', retrySeconds);
        if (error instanceof LimitError) setRetryAfter(response, error);
        sendJson(response, code, errorBody(code, message));
      }
    },
  };
}

/** Returns the object name in the URL; null for the bucket itself. */
function objectNameOf({ url }: Exchange, bucketName: string): string | null {
  const [, bucket, name = ''] = path.exec(url.pathname) ?? [];
  if (bucket === undefined || decode(bucket) !== bucketName) throw notFound();
  return name === '' ? null : checkObjectName(decode(name));
}

function decode(text: string): string {
  const decoded = percentDecoded(text);
  if (decoded === undefined) throw invalid('The path is not properly percent-encoded.');
  return decoded;
}

/**
 * Only the direct contents of a folder can be listed: the policy decides on the folder, so a prefix within a name, or a
 * recursive list, would reveal names that the policy was not asked about.
 */
function listQuery(params: URLSearchParams) {
  const prefix = checkNameLength(params.get('prefix') ?? '');
  const delimiter = params.get('delimiter') ?? '/';
  const maxResults = Number(params.get('maxResults') ?? maxListResults);
  if (prefix !== '' && !prefix.endsWith('/')) throw invalid('The prefix must end with a slash.');
  if (delimiter !== '/') throw invalid('The delimiter must be a slash.');
  if (!Number.isInteger(maxResults) || maxResults < 1 || maxResults > maxListResults) {
    throw invalid(`maxResults must be from 1 to ${maxListResults}.`);
  }
  const pageToken = params.get('pageToken');
  const after =
    pageToken === null ? null : checkNameLength(Buffer.from(pageToken, 'base64url').toString());
  return { prefix, delimiter, maxResults, after };
}
