import { access, constants, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AdminAccounts } from './auth/accounts/accounts.ts';
import { openAuthService, type AuthOptions } from './auth/auth-service.ts';
import { systemClock, type Clock } from './clock.ts';
import { copyData } from './backup.ts';
import type { AdminFirestore } from './firestore/admin-firestore.ts';
import { openFirestoreService } from './firestore-service.ts';
import { createAccountChooserRoute } from './http/chooser/account-chooser-route.ts';
import { createAuthRoute } from './http/auth-route.ts';
import { createProcessCounters } from './http/counters.ts';
import {
  thisMachine,
  createClientAddress,
  createIsIn,
  isThisMachine,
} from './http/guards/client-address.ts';
import { fitConnections, limitConnections } from './http/guards/connection-limit.ts';
import { createStorageRoute } from './http/files/storage-route.ts';
import { createFunctionRoute, type HttpFunctions } from './http/function-route.ts';
import { createHealthRoute } from './http/health-route.ts';
import { startHttpServer, type ListenOptions } from './http/http-server.ts';
import { serverUrl } from './http/server-url.ts';
import { createKnownHosts } from './http/guards/known-hosts.ts';
import { limitPieces } from './http/guards/piece-limit.ts';
import { createOrigins } from './http/guards/origins.ts';
import { limitStreams } from './http/guards/stream-limit.ts';
import { createRouter } from './http/router.ts';
import { createStaticFiles } from './http/pages/static-files.ts';
import { defaultLimits, type Limits } from './limits/defaults.ts';
import { createResources } from './limits/resources.ts';
import { silentLog, type Log } from './log.ts';
import { readRules } from './policy/read-rules.ts';
import { createStorageRules } from './policy/storage-rules.ts';
import { createAdminStorage, type AdminStorage } from './storage/admin-storage.ts';
import { StorageError } from './storage/storage-error.ts';
import { openStorage } from './storage/storage.ts';
import { openDiskRoom, type RoomyStore } from './store/disk-room.ts';
import { freeBytesOf } from './store/free-bytes.ts';
import { StoreError, type KeyValueStore } from './store/key-value-store.ts';
import { openLmdbStore } from './store/lmdb-store.ts';

export interface BackendOptions extends AuthOptions, Pick<ListenOptions, 'host' | 'tls'> {
  readonly dataDir: string;
  readonly projectId?: string;
  readonly staticDir?: string | undefined;
  /** The files of the rules. Without one, every access of a client is denied. */
  readonly firestoreRules?: string | undefined;
  readonly storageRules?: string | undefined;
  /** The path of a `firestore.indexes.json`: a query that needs an index it lacks is refused, as on hosted Firestore. */
  readonly firestoreIndexes?: string | undefined;
  /** The port; 0 (the default) takes any free one. */
  readonly port?: number;
  /** Functions by the requests that they answer: a path (`/api/transcribe`), or a method and a path (`POST /`). */
  readonly httpFunctions?: HttpFunctions;
  /** All connections come from proxies; other connections are closed. */
  readonly isBehindProxy?: boolean;
  /** Addresses or networks of proxies on other machines, whose `X-Forwarded-For` is trusted as this machine's is. */
  readonly trustedProxies?: readonly string[];
  /** Limits on what clients may use and owners may store; the defaults of the others are in `limits/defaults.ts`. */
  readonly limits?: Partial<Limits>;
  /** Returns the free bytes of the disk; reads them from the file system by default. */
  readonly freeBytes?: () => number;
  /** Called when nothing can be stored any more until the process restarts. */
  readonly onBroken?: () => void;
  /** The version of the running server, for `/health`. */
  readonly version?: string;
  readonly seed?: (backend: SeedTarget) => Promise<void>;
  /**
   * Called before the first start from a backup listens, for an application whose clients keep the state that they have
   * read. If the process dies before it has resolved, the next start calls it again.
   */
  readonly onRestored?: (firestore: AdminFirestore) => Promise<void>;
  readonly log?: Log;
  readonly clock?: Clock;
}

export interface SeedTarget {
  readonly accounts: Pick<AdminAccounts, 'createUser'>;
  readonly firestore: AdminFirestore;
  readonly storage: AdminStorage;
}

export type Backend = Awaited<ReturnType<typeof createBackend>>;

const defaultProject = 'demo-pawpals';
const seedingKey = 'server/seeding';

/**
 * The composition root: one process, one port, one data folder.
 *
 * - It accepts connections only after the stored data is loaded and the seed is complete.
 * - The seed runs on an empty folder only. If the process dies while seeding, the next start empties
 *   the folder and seeds again, so a seed is complete or absent.
 * - A start that fails ends everything that it has started.
 */
export async function createBackend(options: BackendOptions, openStore = openLmdbStore) {
  const dataDir = resolve(options.dataDir);
  await requireFolder(dataDir);
  let store = await openStore(join(dataDir, 'db'));
  const stops: Stops = { store: () => store.close() };
  const stop = async () => {
    for (const each of stopOrder) await stops[each]?.();
  };
  try {
    if (store.get(seedingKey) !== undefined) await store.clear();
    const given = { ...defaultLimits, ...options.limits };
    const limits = { ...given, connections: fitConnections(given.connections) };
    const freeBytes = options.freeBytes ?? (() => freeBytesOf(dataDir));
    const room = openDiskRoom({
      store,
      freeBytes,
      reservedBytes: limits.reservedDiskBytes,
      clock: options.clock ?? systemClock,
      log: options.log ?? silentLog,
      onBroken: options.onBroken ?? (() => undefined),
    });
    ({ store } = room);
    const backend = await startBackend(options, { dataDir, limits, freeBytes, stops, ...room });
    return { ...backend, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates the folder. @throws {StoreError} if this process may not write to it. */
async function requireFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (cause) {
    throw new StoreError('unusable', `The data folder ${folder} cannot be written.`, { cause });
  }
}

interface Opened extends RoomyStore {
  readonly dataDir: string;
  readonly limits: Limits;
  readonly freeBytes: () => number;
  readonly stops: Stops;
}

const stopOrder = ['work', 'streams', 'server', 'storage', 'auth', 'firestore', 'store'] as const;
/** Ends what has been started so far. */
type Stops = Partial<Record<(typeof stopOrder)[number], () => Promise<void> | void>>;

async function startBackend(options: BackendOptions, opened: Opened) {
  const { dataDir, store, shortage, limits, stops } = opened;
  const { log = silentLog, clock = systemClock, projectId = defaultProject } = options;
  const firestoreRules = await readRules(options.firestoreRules, 'cloud.firestore', log);
  const storageRules = await readRules(options.storageRules, 'firebase.storage', log);
  const resources = createResources({ clock, limits });
  const counters = createProcessCounters(dataDir, opened.freeBytes);
  stops.work = () => {
    resources.stop();
    counters.stop();
  };
  const core = { dataDir, store, shortage, limits, projectId, resources, clock, log };
  const auth = await openAuthService(options, { ...core, isLoopbackOnly: isLoopbackOnly(options) });
  stops.auth = () => auth.stop();
  const { sessions } = auth;
  const firestore = await openFirestoreService({
    ...core,
    sessions,
    rules: firestoreRules,
    indexFile: options.firestoreIndexes,
    onRestored: options.onRestored,
  });
  stops.streams = () => firestore.stopStreams();
  stops.firestore = () => firestore.close();
  auth.onRevoked(firestore.endRevoked);
  const mayStore = createStorageRules(storageRules, firestore.peek);
  const storage = await openStorage({
    ...core,
    policy(asked) {
      // The contents may come minutes after the head of an upload, and the token be revoked in between.
      if (asked.auth !== null && !sessions.isCurrent(asked.auth)) throw unauthenticated();
      return mayStore(asked);
    },
    bucketName: `${projectId}.appspot.com`,
    folder: join(dataDir, 'files'),
  });
  stops.storage = () => storage.stop();
  const target = {
    accounts: auth.admin,
    firestore: firestore.admin,
    storage: createAdminStorage(storage),
  };
  const isEmpty = () => auth.isEmpty() && firestore.isEmpty();
  if (options.seed !== undefined && isEmpty()) await runSeed(store, () => options.seed?.(target));

  const { staticDir, publicOrigin, host, tls } = options;
  const isSecure = tls !== undefined;
  const { chooserCode = '', version = '' } = options;
  const proxies = trustedProxies(options);
  const clientAddress = createClientAddress(proxies);
  const isProxy = createIsIn(proxies);
  const router = createRouter({
    routes: [
      createHealthRoute({
        shortage,
        counters: async () => ({ ...(await counters.read()), ...firestore.counters() }),
        version,
      }),
      createAuthRoute({ service: auth, projectId, shortage }),
      await createAccountChooserRoute({ google: auth.google, code: chooserCode }),
      ...firestore.routes,
      createStorageRoute({
        storage,
        log,
        // A request without a token is anonymous, which the policy decides on.
        authenticate: (authorization) => sessions.requireCaller(authorization, unauthenticated),
      }),
      createFunctionRoute(options.httpFunctions ?? {}, sessions),
    ],
    pages: staticDir === undefined ? null : createStaticFiles(staticDir),
    origins: createOrigins(publicOrigin),
    isKnownHost: createKnownHosts({ publicOrigin, isTls: isSecure }),
    clientAddress,
    resources,
    isHttpsOnly: isSecure || publicOrigin?.startsWith('https:') === true,
    log,
  });
  const server = await startHttpServer(
    limitPieces(counters.counting(router), { resources, clientAddress }),
    {
      port: options.port ?? 0,
      host,
      tls,
      isAdmitted: options.isBehindProxy === true ? isProxy : undefined,
      onCreated: (created) => {
        limitConnections(created, { resources, clientAddress, isProxy });
        limitStreams(created, isProxy);
      },
    },
  );
  stops.server = () => server.stop();
  return {
    ...target,
    /** Whether there is neither an account nor a document. */
    isEmpty,
    /** Copies a snapshot of all data to a new folder, from which another server can start. */
    backUp: (folder: string) => copyData({ source: dataDir, store, target: resolve(folder) }),
    url: serverUrl({ isSecure, host, port: server.port }),
    port: server.port,
    setCertificate: server.setCertificate,
  };
}

const unauthenticated = () =>
  new StorageError('unauthenticated', 'The ID token is invalid or has expired.');

const trustedProxies = ({ isBehindProxy = false, trustedProxies: others = [] }: BackendOptions) =>
  isBehindProxy ? [...thisMachine, ...others] : [];

/** Whether only programs on this machine can reach the server. */
function isLoopbackOnly({ host, isBehindProxy = false, publicOrigin }: BackendOptions): boolean {
  const isLocal = host === undefined || host === 'localhost' || isThisMachine(host);
  return isLocal && !isBehindProxy && publicOrigin === undefined;
}

async function runSeed(store: KeyValueStore, seed: () => Promise<void> | undefined): Promise<void> {
  await store.write([{ type: 'put', key: seedingKey, value: '1' }]);
  await seed();
  await store.write([{ type: 'del', key: seedingKey }]);
}
