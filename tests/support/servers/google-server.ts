import { json } from 'node:stream/consumers';
import * as v from 'valibot';
import {
  createAdminFirestore,
  type AdminFirestore,
} from '../../../backend/src/firestore/admin-firestore.ts';
import { readIndexes } from '../../../backend/src/firestore-indexes/index-file.ts';
import { createRequireIndexes } from '../../../backend/src/firestore-indexes/require-indexes.ts';
import { createFirestoreRoute } from '../../../backend/src/http/firestore-route.ts';
import { createExchange, sendJson, type Exchange } from '../../../backend/src/http/exchange.ts';
import { startHttpServer } from '../../../backend/src/http/http-server.ts';
import { systemClock } from '../../../backend/src/clock.ts';
import { createResources } from '../../../backend/src/limits/resources.ts';
import { silentLog } from '../../../backend/src/log.ts';
import { aliceCaller, openTestDatabase } from '../../../backend/tests/support/test-database.ts';
import { deployedFiles } from '../built-app/deployed-files.ts';
import { answerStorage } from './google-storage.ts';
import { createVersionedFiles, type VersionedFiles } from '../fakes/versioned-files.ts';

/**
 * The Google services that firebase-admin calls, on a free local port: Firestore's REST API on the embedded database,
 * without rules and limited to the deployed indexes; the needed part of Storage's JSON API; and an Auth that knows
 * every user.
 */
export interface GoogleServer {
  readonly host: string;
  readonly firestore: AdminFirestore;
  readonly files: VersionedFiles;
  stop(): Promise<void>;
}

const lookupPath = '/identitytoolkit.googleapis.com/v1/projects/demo-pawpals/accounts:lookup';

const lookupSchema = v.object({ localId: v.tuple([v.string()]) });

async function answerLookup({ request, response }: Exchange): Promise<void> {
  const { localId } = v.parse(lookupSchema, await json(request));
  sendJson(response, 200, { users: [{ localId: localId[0], validSince: '0' }] });
}

/** Starts the server. @param now returns the time of uploads, in epoch milliseconds. */
export async function startGoogleServer(now: () => number = Date.now): Promise<GoogleServer> {
  const declared = await readIndexes(deployedFiles.firestoreIndexes);
  const requireIndexes = createRequireIndexes(declared);
  const { database } = await openTestDatabase({ requireIndexes });
  const authenticate = async () => aliceCaller;
  const firestore = createFirestoreRoute({
    database,
    authenticate,
    isCurrent: () => true,
    log: silentLog,
  });
  const files = createVersionedFiles(now);
  const resources = createResources({ clock: systemClock });
  const client = { uid: null, address: '127.0.0.1' };
  const server = await startHttpServer(
    (request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const exchange = createExchange({ request, response, url, client, resources });
      if (firestore.matches(request.method ?? '', url.pathname)) void firestore.handle(exchange);
      else if (url.pathname === lookupPath) void answerLookup(exchange);
      else void answerStorage(exchange, files);
    },
    { port: 0 },
  );
  return {
    host: `127.0.0.1:${server.port}`,
    firestore: createAdminFirestore(database),
    files,
    stop: async () => {
      await server.stop();
      resources.stop();
      await database.close();
    },
  };
}
