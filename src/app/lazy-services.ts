import { AuthError } from '../platform/auth.ts';
import type { FirebaseAuthService } from '../platform/firebase-auth.ts';
import { firebaseConfigOfBuild } from './firebase-config.ts';
import type { SyncHandle, SyncRequest } from './sync-handle.ts';

/**
 * Code that the first screen does without: the identity provider and sync are loaded when they are first needed, and the
 * bell after them.
 */
let auth: Promise<FirebaseAuthService> | null = null;

async function importAuth(): Promise<FirebaseAuthService> {
  const [{ createFirebaseAuth }, { firebaseApp }] = await Promise.all([
    import('../platform/firebase-auth.ts'),
    import('../../replication/firebase/config.ts'),
  ]);
  const config = firebaseConfigOfBuild();
  return createFirebaseAuth({ app: firebaseApp(config), serverOrigin: config.serverOrigin });
}

/** A failed download is tried again with the next call. @throws {AuthError} */
export async function loadAuth(): Promise<FirebaseAuthService> {
  auth ??= importAuth();
  try {
    return await auth;
  } catch (error) {
    auth = null;
    throw new AuthError('auth/network-request-failed', { cause: error });
  }
}

export async function loadSync(request: SyncRequest): Promise<SyncHandle> {
  const [service, { startSync }] = await Promise.all([loadAuth(), import('./start-sync.ts')]);
  return startSync({ ...request, service, config: firebaseConfigOfBuild() });
}
