import type { Sessions } from './auth/tokens/sessions.ts';
import type { Clock } from './clock.ts';
import type { Route } from './http/exchange.ts';
import { createStorageRoute } from './http/files/storage-route.ts';
import type { Limits } from './limits/defaults.ts';
import type { Log } from './log.ts';
import type { StorageAccessPolicy } from './storage/access-policy.ts';
import { createAdminStorage, type AdminStorage } from './storage/admin-storage.ts';
import { StorageError } from './storage/storage-error.ts';
import { openStorage } from './storage/storage.ts';
import type { KeyValueStore } from './store/key-value-store.ts';

/** Storage: its core and its route, with authentication and rules. */
export interface StorageService {
  readonly admin: AdminStorage;
  readonly route: Route;
  /** Stops Storage; called after the server closes its connections and before the store closes. */
  stop(): Promise<void>;
}

export interface StorageServiceDeps {
  readonly store: KeyValueStore;
  readonly shortage: () => string | null;
  readonly limits: Limits;
  readonly folder: string;
  readonly bucket: string;
  readonly sessions: Sessions;
  readonly policy: StorageAccessPolicy;
  readonly clock: Clock;
  readonly log: Log;
}

export async function openStorageService(deps: StorageServiceDeps): Promise<StorageService> {
  const { store, folder, clock, log, policy, sessions } = deps;
  const storage = await openStorage({
    store,
    shortage: deps.shortage,
    limits: deps.limits,
    folder,
    clock,
    log,
    policy(asked) {
      // The contents may come minutes after the head of an upload, and the token be revoked in between.
      if (asked.auth !== null && !sessions.isCurrent(asked.auth)) throw refused();
      return policy(asked);
    },
    bucketName: deps.bucket,
  });
  return {
    admin: createAdminStorage(storage),
    route: createStorageRoute({
      storage,
      log,
      // A request without a token is anonymous, which the policy decides on.
      authenticate: (authorization) => sessions.requireCaller(authorization, refused),
    }),
    stop: () => storage.stop(),
  };
}

const refused = () =>
  new StorageError('unauthenticated', 'The ID token is invalid or has expired.');
