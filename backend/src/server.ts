import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { loadAccountStore } from './auth/account-store.ts';
import { createAccounts, type Accounts } from './auth/accounts.ts';
import { createIdTokens } from './auth/id-tokens.ts';
import { createPasswords } from './auth/passwords.ts';
import { loadSigningKey } from './auth/signing-key.ts';
import { createChannelServer } from './channel/channel-server.ts';
import { systemClock, type Clock } from './clock.ts';
import type { AccessPolicy } from './firestore/access-policy.ts';
import { createAdminFirestore, type AdminFirestore } from './firestore/admin-firestore.ts';
import { openDatabase, type Database } from './firestore/database.ts';
import { FirestoreError } from './firestore/firestore-error.ts';
import { createFirestoreStreams, type Authenticate } from './firestore/firestore-streams.ts';
import { createDatabaseNames } from './firestore/resource-path.ts';
import { openWriteLedger } from './firestore/write-ledger.ts';
import { createAuthRoute } from './http/auth-route.ts';
import { createChannelRoute } from './http/channel-route.ts';
import { createFirestoreRoute } from './http/firestore-route.ts';
import { healthRoute } from './http/health-route.ts';
import { startHttpServer, type ListenOptions } from './http/http-server.ts';
import { noPages } from './http/no-pages.ts';
import { createOrigins } from './http/origins.ts';
import { createRouter } from './http/router.ts';
import { createStaticFiles } from './http/static-files.ts';
import { describeError, silentLog, type Log } from './log.ts';
import { ownerOnly } from './policy/owner-only.ts';
import { openKeyValueStore, type KeyValueStore } from './store/key-value-store.ts';

/**
 * The composition root: one process, one port, one data folder.
 *
 * - It accepts connections only after everything stored is loaded and the seed is complete.
 * - The seed runs on an empty folder only. If the process dies while seeding, the next start empties
 *   the folder and seeds again, so a seed is there whole or not at all.
 */
export interface BackendOptions {
  readonly dataDir: string;
  readonly projectId?: string;
  /** A built app to serve. */
  readonly staticDir?: string;
  /** 0 takes any free port. */
  readonly port?: number;
  /** The address of an interface; this machine alone unless told otherwise. */
  readonly host?: string;
  /** PEM texts of a certificate and its key: the server then speaks https only. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Hashes for the style-src of the content security policy, such as `sha256-...`. */
  readonly styleHashes?: readonly string[];
  /** Origins besides the own and loopback ones that may call the services. */
  readonly allowedOrigins?: readonly string[];
  readonly seed?: (backend: SeedTarget) => Promise<void>;
  /** Judges in the place of the built-in rules. */
  readonly policy?: AccessPolicy;
  readonly log?: Log;
  readonly clock?: Clock;
  /** The scrypt cost; lower it in tests only. */
  readonly passwordCost?: number;
}

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly displayName?: string;
}

export interface SeedTarget {
  readonly accounts: { createUser(user: NewUser): Promise<{ uid: string }> };
  readonly firestore: AdminFirestore;
}

export interface Backend extends SeedTarget {
  readonly url: string;
  readonly port: number;
  /** No account and no document. */
  isEmpty(): boolean;
  stop(): Promise<void>;
}

export const DEFAULT_PROJECT = 'demo-pawpals';
const SEEDING_KEY = 'server/seeding';

export async function createBackend(options: BackendOptions): Promise<Backend> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const store = await openKeyValueStore(join(dataDir, 'db'));
  try {
    if ((await store.get(SEEDING_KEY)) !== undefined) await store.clear();
    return await startBackend(options, { dataDir, store });
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface Opened {
  readonly dataDir: string;
  readonly store: KeyValueStore;
}

async function startBackend(options: BackendOptions, { dataDir, store }: Opened): Promise<Backend> {
  const { log = silentLog, clock = systemClock, projectId = DEFAULT_PROJECT } = options;
  const accounts = await openAccounts(options, { dataDir, store });
  const database = await openDatabase({
    store,
    clock,
    names: createDatabaseNames(projectId),
    policy: options.policy ?? ownerOnly,
    newEpoch: () => randomBytes(9).toString('base64url'),
    onStorageFailure: (error) => log.error('storage failed', describeError(error)),
  });
  const target = createSeedTarget(accounts, database);
  const isEmpty = () => accounts.size() === 0 && database.size() === 0;
  if (options.seed !== undefined && isEmpty()) await runSeed(store, () => options.seed?.(target));

  const authenticate = createAuthenticate(accounts);
  const onStorageFailure = (error: unknown) => log.error('storage failed', describeError(error));
  const ledger = await openWriteLedger({ store, nowMs: () => clock.now(), onStorageFailure });
  const streams = createFirestoreStreams({ database, ledger, authenticate, clock, log });
  const channels = createChannelServer({
    clock,
    open: streams.open,
    onLostSession: streams.onLostSession,
  });
  const { staticDir, styleHashes = [] } = options;
  const router = createRouter({
    routes: [
      healthRoute,
      createAuthRoute(accounts),
      createFirestoreRoute({ database, authenticate, log }),
      createChannelRoute(channels),
    ],
    pages:
      staticDir === undefined
        ? noPages
        : await createStaticFiles({ folder: staticDir, styleHashes }),
    origins: createOrigins(options.allowedOrigins ?? []),
    log,
  });
  const server = await startHttpServer(router, listenOptions(options)).catch((error: unknown) => {
    streams.stop();
    channels.stop();
    throw error;
  });
  return {
    ...target,
    isEmpty,
    url: `${options.tls === undefined ? 'http' : 'https'}://localhost:${server.port}`,
    port: server.port,
    async stop() {
      streams.stop();
      channels.stop();
      await server.stop();
      await database.close();
      await ledger.close();
      await store.close();
    },
  };
}

function listenOptions({ port = 0, host, tls }: BackendOptions): ListenOptions {
  return { port, ...(host === undefined ? {} : { host }), ...(tls === undefined ? {} : { tls }) };
}

async function openAccounts(options: BackendOptions, opened: Opened): Promise<Accounts> {
  const { clock = systemClock, projectId = DEFAULT_PROJECT } = options;
  const key = await loadSigningKey(join(opened.dataDir, 'signing-key.pem'));
  const nowMs = () => clock.now();
  return createAccounts({
    store: await loadAccountStore(opened.store),
    passwords: createPasswords(options.passwordCost),
    tokens: createIdTokens({ key, projectId, nowMs }),
    nowMs,
  });
}

const createSeedTarget = (accounts: Accounts, database: Database): SeedTarget => ({
  accounts: {
    async createUser({ email, password, displayName }) {
      const { uid } = await accounts.create({ email, password }, displayName);
      return { uid };
    },
  },
  firestore: createAdminFirestore(database),
});

async function runSeed(store: KeyValueStore, seed: () => Promise<void> | undefined): Promise<void> {
  await store.write([{ type: 'put', key: SEEDING_KEY, value: '1' }]);
  await seed();
  await store.write([{ type: 'del', key: SEEDING_KEY }]);
}

/** Firestore's answer to a bad token; no token at all is nobody, which the policy refuses. */
function createAuthenticate(accounts: Accounts): Authenticate {
  return async (authorization) => {
    if (authorization === undefined || authorization === '') return null;
    const idToken = /^Bearer (.+)$/i.exec(authorization)?.[1] ?? '';
    const result = await accounts.authenticate(idToken);
    if (!result.ok) {
      throw new FirestoreError('UNAUTHENTICATED', 'The ID token is invalid or has expired.');
    }
    const { uid, claims, expiresAtMs } = result.token;
    return { uid, claims, expiresAtMs };
  };
}
