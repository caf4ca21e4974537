import { createHash } from 'node:crypto';
import { json } from 'node:stream/consumers';
import * as v from 'valibot';
import {
  createAdminFirestore,
  type AdminFirestore,
} from '../../backend/src/firestore/admin-firestore.ts';
import { createFirestoreRoute } from '../../backend/src/http/firestore-route.ts';
import { sendJson, type Exchange } from '../../backend/src/http/exchange.ts';
import { startHttpServer } from '../../backend/src/http/http-server.ts';
import { silentLog } from '../../backend/src/log.ts';
import { ALICE, openTestDatabase } from '../../backend/tests/support/test-database.ts';

/**
 * What firebase-admin sees of Google, on a free port of this machine: Firestore's REST API, which lets everybody do
 * everything, on the embedded database, as much of Storage's JSON API as is needed, and an Auth that knows every user.
 */
export interface GoogleServer {
  readonly host: string;
  readonly firestore: AdminFirestore;
  readonly fileNames: Set<string>;
  /** What is in the files that are not only names. */
  readonly contents: Map<string, Uint8Array>;
  stop(): Promise<void>;
}

/** What is behind `/download` as well as without it. */
const bucketPath = /^(?:\/download)?(?:\/storage\/v1)?\/b\/[^/]+\/o(?:\/([^/]+))?$/;
const lookupPath = '/identitytoolkit.googleapis.com/v1/projects/demo-pawpals/accounts:lookup';

type Files = Pick<GoogleServer, 'fileNames' | 'contents'>;

function answerStorage(exchange: Exchange, { fileNames, contents }: Files): void {
  const { request, response, url } = exchange;
  const found = bucketPath.exec(url.pathname);
  if (found === null) return sendJson(response, 404, { error: { code: 404 } });
  const name = decodeURIComponent(found[1] ?? '');
  if (request.method === 'DELETE') {
    const isThere = fileNames.delete(name);
    return sendJson(response, isThere ? 200 : 404, isThere ? {} : { error: { code: 404 } });
  }
  if (name !== '') return answerObject(exchange, name, contents.get(name));
  const prefix = url.searchParams.get('prefix') ?? '';
  const max = Number(url.searchParams.get('maxResults'));
  const items = [...fileNames].filter((each) => each.startsWith(prefix)).slice(0, max);
  return sendJson(response, 200, { items: items.map((each) => ({ name: each })) });
}

function answerObject(
  { response, url }: Exchange,
  name: string,
  bytes: Uint8Array | undefined,
): void {
  if (bytes === undefined) return sendJson(response, 404, { error: { code: 404 } });
  if (url.searchParams.get('alt') !== 'media') {
    return sendJson(response, 200, { name, size: String(bytes.length) });
  }
  const md5 = createHash('md5').update(bytes).digest('base64');
  response.writeHead(200, { 'Content-Length': bytes.length, 'x-goog-hash': `md5=${md5}` });
  response.end(bytes);
}

const lookupSchema = v.object({ localId: v.tuple([v.string()]) });

async function answerLookup({ request, response }: Exchange): Promise<void> {
  const { localId } = v.parse(lookupSchema, await json(request));
  sendJson(response, 200, { users: [{ localId: localId[0], validSince: '0' }] });
}

export async function startGoogleServer(): Promise<GoogleServer> {
  const { database } = await openTestDatabase();
  const authenticate = async () => ALICE;
  const firestore = createFirestoreRoute({ database, authenticate, log: silentLog });
  const files = { fileNames: new Set<string>(), contents: new Map<string, Uint8Array>() };
  const server = await startHttpServer(
    (request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const exchange = { request, response, url };
      if (firestore.matches(request.method ?? '', url.pathname)) void firestore.handle(exchange);
      else if (url.pathname === lookupPath) void answerLookup(exchange);
      else answerStorage(exchange, files);
    },
    { port: 0 },
  );
  return {
    host: `127.0.0.1:${server.port}`,
    firestore: createAdminFirestore(database),
    ...files,
    stop: async () => {
      await server.stop();
      await database.close();
    },
  };
}
