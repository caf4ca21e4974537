import type { Sessions } from './auth/tokens/sessions.ts';
import { createStorageRoute } from './http/files/storage-route.ts';
import { createAdminStorage } from './storage/admin-storage.ts';
import { StorageError } from './storage/storage-error.ts';
import { openStorage, type StorageDeps } from './storage/storage.ts';

export interface StorageServiceDeps extends StorageDeps {
  readonly sessions: Sessions;
}

/** Opens Storage: its core and its route, with authentication and rules. */
export async function openStorageService({ sessions, policy, ...deps }: StorageServiceDeps) {
  const storage = await openStorage({
    ...deps,
    policy(asked) {
      // The contents may come minutes after the head of an upload, and the token be revoked in between.
      if (asked.auth !== null && !sessions.isCurrent(asked.auth)) throw refused();
      return policy(asked);
    },
  });
  return {
    admin: createAdminStorage(storage),
    route: createStorageRoute({
      storage,
      log: deps.log,
      // A request without a token is anonymous, which the policy decides on.
      authenticate: (authorization) => sessions.requireCaller(authorization, refused),
    }),
    /** Stops Storage; called after the server closes its connections and before the store closes. */
    stop: () => storage.stop(),
  };
}

const refused = () =>
  new StorageError('unauthenticated', 'The ID token is invalid or has expired.');
