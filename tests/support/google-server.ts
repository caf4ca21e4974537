import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createAdminFirestore,
  type AdminFirestore,
} from '../../backend/src/firestore/admin-firestore.ts';
import { createFirestoreRoute } from '../../backend/src/http/firestore-route.ts';
import { sendJson } from '../../backend/src/http/exchange.ts';
import { startHttpServer } from '../../backend/src/http/http-server.ts';
import { silentLog } from '../../backend/src/log.ts';
import { ALICE, openTestDatabase } from '../../backend/tests/support/test-database.ts';

/**
 * What firebase-admin sees of Google, on a free port of this machine: Firestore's REST API, which lets everybody do
 * everything, on the embedded database, and as much of Storage's JSON API as lists and deletes.
 */
export interface GoogleServer {
  readonly host: string;
  readonly firestore: AdminFirestore;
  readonly fileNames: Set<string>;
  stop(): Promise<void>;
}

const bucketPath = /^\/b\/[^/]+\/o(?:\/([^/]+))?$/;

function answerStorage(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  names: Set<string>,
): void {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://localhost');
  const found = bucketPath.exec(pathname);
  if (found === null) return sendJson(response, 404, { error: { code: 404 } });
  const name = decodeURIComponent(found[1] ?? '');
  if (method === 'DELETE') {
    const isThere = names.delete(name);
    return sendJson(response, isThere ? 200 : 404, isThere ? {} : { error: { code: 404 } });
  }
  const prefix = searchParams.get('prefix') ?? '';
  const max = Number(searchParams.get('maxResults'));
  const items = [...names].filter((each) => each.startsWith(prefix)).slice(0, max);
  return sendJson(response, 200, { items: items.map((each) => ({ name: each })) });
}

export async function startGoogleServer(): Promise<GoogleServer> {
  const { database } = await openTestDatabase();
  const authenticate = async () => ALICE;
  const firestore = createFirestoreRoute({ database, authenticate, log: silentLog });
  const fileNames = new Set<string>();
  const server = await startHttpServer(
    (request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const isFirestore = firestore.matches(request.method ?? '', url.pathname);
      if (isFirestore) void firestore.handle({ request, response, url });
      else answerStorage(request, response, fileNames);
    },
    { port: 0 },
  );
  return {
    host: `127.0.0.1:${server.port}`,
    firestore: createAdminFirestore(database),
    fileNames,
    stop: async () => {
      await server.stop();
      await database.close();
    },
  };
}
