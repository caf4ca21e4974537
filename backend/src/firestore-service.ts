import { randomBytes } from 'node:crypto';
import type { AuthContext } from './caller.ts';
import type { AuthDeps } from './auth/auth-service.ts';
import type { Sessions } from './auth/tokens/sessions.ts';
import { createChannelServer } from './channel/channel-server.ts';
import { createAdminFirestore, type AdminFirestore } from './firestore/admin-firestore.ts';
import { openDatabase } from './firestore/documents/database.ts';
import { FirestoreError } from './firestore/firestore-error.ts';
import { createFirestoreStreams } from './firestore/streams/firestore-streams.ts';
import { createDatabaseNames } from './firestore/values/resource-path.ts';
import { declaredShapes } from './firestore-indexes/declared-shapes.ts';
import { readIndexes } from './firestore-indexes/index-file.ts';
import { createRequireIndexes } from './firestore-indexes/require-indexes.ts';
import { createChannelRoute } from './http/channel-route.ts';
import type { Counters } from './http/counters.ts';
import { createFirestoreRoute } from './http/firestore-route.ts';
import { describeError } from './log.ts';
import { createFirestoreRules } from './policy/firestore-rules.ts';
import type { Ruleset } from './rules/ruleset.ts';

interface FirestoreServiceDeps extends Omit<AuthDeps, 'dataDir' | 'isLoopbackOnly'> {
  readonly shortage: () => string | null;
  readonly sessions: Sessions;
  readonly rules: Ruleset;
  readonly indexFile: string | undefined;
  /** Called before anybody is served, on the first start from a backup. */
  readonly onRestored: ((firestore: AdminFirestore) => Promise<void>) | undefined;
}

/** Firestore: its database, streams and routes, with authentication and rules. */
export async function openFirestoreService(deps: FirestoreServiceDeps) {
  const { store, sessions, rules, indexFile, resources, clock, log } = deps;
  const declared = indexFile === undefined ? undefined : await readIndexes(indexFile);
  const database = await openDatabase({
    store,
    shortage: deps.shortage,
    limits: resources.limits,
    clock,
    names: createDatabaseNames(deps.projectId),
    policy: createFirestoreRules(rules),
    requireIndexes: declared && createRequireIndexes(declared),
    indexes: declared === undefined ? [] : declaredShapes(declared),
    newEpoch: () => randomBytes(9).toString('base64url'),
    // The store itself logs failures of the disk.
    onStorageFailure: (error) => log.warn('not stored', describeError(error)),
  });
  const admin = createAdminFirestore(database);
  await database.storeEpoch(async () => {
    log.info('restored from a backup', {});
    await deps.onRestored?.(admin);
  });
  // A request without a token is anonymous, which the rules decide on.
  const authenticate = (authorization: string | undefined) =>
    sessions.requireCaller(authorization, refused);
  const isCurrent = (caller: AuthContext) => sessions.isCurrent(caller);
  const streams = createFirestoreStreams({
    database,
    authenticate,
    isCurrent,
    resources,
    clock,
    log,
  });
  const channels = createChannelServer({ clock, resources, log, open: streams.open });
  let commits = 0;
  database.onCommit(() => {
    commits += 1;
  });
  return {
    admin,
    routes: [
      createFirestoreRoute({ database, authenticate, isCurrent, log }),
      createChannelRoute(channels),
    ],
    /** Returns a document without checking the rules. */
    peek: (path: string) => database.peek(path),
    isEmpty: () => database.isEmpty(),
    counters: (): Counters => ({ commits, channelSessions: channels.sessionCount() }),
    endRevoked: streams.endRevoked,
    /** Stops the streams; called before the server closes its connections. */
    stopStreams() {
      streams.stop();
      channels.stop();
    },
    /** Closes the database; called after the server closes its connections and before the store closes. */
    close: () => database.close(),
  };
}

const refused = () =>
  new FirestoreError('UNAUTHENTICATED', 'The ID token is invalid or has expired.');
