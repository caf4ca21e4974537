import { randomUUID } from 'node:crypto';
import type { Accounts } from './auth/accounts.ts';
import type { Clock } from './clock.ts';
import type { Database } from './firestore/database.ts';
import type { Route } from './http/exchange.ts';
import { createStorageRoute } from './http/storage-route.ts';
import { createTransferWatch } from './http/transfer-watch.ts';
import type { Log } from './log.ts';
import { createPetFilesPolicy } from './policy/pet-files.ts';
import { createAdminStorage, type AdminStorage } from './storage/admin-storage.ts';
import type { StorageUser } from './storage/one-shot-upload.ts';
import { StorageError } from './storage/storage-error.ts';
import { openStorage } from './storage/storage.ts';
import type { KeyValueStore } from './store/key-value-store.ts';

/** Storage put together: its core, its route, who may do what, and who asks. */
export interface StorageService {
  readonly admin: AdminStorage;
  readonly route: Route;
  /** After the server has closed its connections and before the store is closed. */
  stop(): Promise<void>;
}

export interface StorageServiceDeps {
  readonly store: KeyValueStore;
  readonly folder: string;
  readonly bucket: string;
  readonly maxUploadBytes: number | undefined;
  readonly accounts: Accounts;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

export async function openStorageService(deps: StorageServiceDeps): Promise<StorageService> {
  const { store, folder, clock, log, maxUploadBytes } = deps;
  const ownerOfPet = (petId: string) => {
    const owner = deps.database.peek(`pets/${petId}`)?.fields.get('ownerId');
    return owner?.kind === 'string' ? owner.value : null;
  };
  const policy = createPetFilesPolicy(ownerOfPet);
  const storage = await openStorage({
    store,
    folder,
    clock,
    log,
    policy,
    bucketName: deps.bucket,
    ...(maxUploadBytes === undefined ? {} : { maxUploadBytes }),
  });
  const watch = createTransferWatch(clock);
  return {
    admin: createAdminStorage(storage, randomUUID),
    route: createStorageRoute({
      storage,
      watch,
      log,
      authenticate: createAuthenticate(deps.accounts),
    }),
    async stop() {
      watch.stop();
      await storage.stop();
    },
  };
}

/** A bad token is refused; no token at all is nobody, whom the policy judges. */
function createAuthenticate(accounts: Accounts) {
  return async (authorization: string | undefined): Promise<StorageUser> => {
    if (authorization === undefined || authorization === '') return null;
    const idToken = /^(?:Firebase|Bearer) (.+)$/i.exec(authorization)?.[1] ?? '';
    const result = await accounts.authenticate(idToken);
    if (!result.ok) {
      throw new StorageError('unauthenticated', 'The ID token is invalid or has expired.');
    }
    return { uid: result.token.uid, claims: result.token.claims };
  };
}
