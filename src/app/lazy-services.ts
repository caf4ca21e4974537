import type { FirebaseApp } from 'firebase/app';
import type { createStore } from 'jotai';
import type { RemoteFiles, Transcriber } from '../../replication/ports.ts';
import type { Data } from '../data/data-context.ts';
import { AuthError } from '../platform/auth.ts';
import type { FirebaseAuthService } from '../platform/firebase-auth.ts';
import { firstValue } from '../lib/first-value.ts';
import { ChunkLoadError } from '../lib/load-chunk.ts';
import type { AppTokenSource } from '../platform/app-check.ts';
import { isNative } from '../platform/native-platform.ts';
import { systemClock } from '../platform/system-clock.ts';
import { whenIdle } from '../platform/when-idle.ts';
import { firebaseConfigOfBuild } from './firebase-config.ts';
import type { SyncHandle, SyncRequest } from './sync-handle.ts';

/**
 * Code that the first screen does without: the identity provider and sync are loaded when they are first needed, and the
 * bell after them.
 */
let auth: Promise<FirebaseAuthService> | null = null;

/** Null without a site key, and in the native wrapper, which reCAPTCHA does not know. Known once {@link loadAuth} is done. */
let appToken: AppTokenSource | null = null;

async function importAppCheck(app: FirebaseApp): Promise<void> {
  const siteKey = import.meta.env.VITE_FIREBASE_APP_CHECK_KEY;
  if (siteKey === undefined || isNative() || appToken !== null) return;
  const { startAppCheck } = await import('../platform/app-check.ts');
  appToken = startAppCheck(app, siteKey);
}

const ownTokens = (service: FirebaseAuthService, uid: string) => ({
  idToken: (isRenewed: boolean) => service.idTokenOf(uid, isRenewed),
  ...(appToken === null ? {} : { appToken }),
});

async function importAuth(): Promise<FirebaseAuthService> {
  const [{ createFirebaseAuth }, { firebaseApp }] = await Promise.all([
    import('../platform/firebase-auth.ts'),
    import('../../replication/firebase/config.ts'),
  ]);
  const config = firebaseConfigOfBuild();
  const app = firebaseApp(config);
  // Before Auth, whose first requests carry its token already.
  await importAppCheck(app);
  return createFirebaseAuth({
    app,
    serverOrigin: config.serverOrigin,
    // In the native wrapper the pages come from the device itself.
    appOrigin: import.meta.env.VITE_APP_ORIGIN ?? location.origin,
  });
}

/** A failed download is tried again with the next call. @throws {AuthError} */
export async function loadAuth(): Promise<FirebaseAuthService> {
  auth ??= importAuth();
  try {
    return await auth;
  } catch (error) {
    auth = null;
    const needsReload = error instanceof ChunkLoadError && error.reason === 'remembered';
    const code = needsReload ? 'pawpals/reload' : 'auth/network-request-failed';
    throw new AuthError(code, { cause: error });
  }
}

/** The server's files of that owner, whoever is signed in: without them it refuses. */
export async function loadRemoteFiles(uid: string): Promise<RemoteFiles> {
  const [service, { createStorageFiles }] = await Promise.all([
    loadAuth(),
    import('../../replication/firebase/storage-files.ts'),
  ]);
  return createStorageFiles({
    config: firebaseConfigOfBuild(),
    ...ownTokens(service, uid),
    clock: systemClock,
  });
}

/** Listens for that owner, whoever is signed in: without them it refuses. */
export async function loadTranscriber(uid: string): Promise<Transcriber> {
  const [service, { createTranscriber }] = await Promise.all([
    loadAuth(),
    import('../../replication/firebase/transcriber.ts'),
  ]);
  return createTranscriber({
    origin: import.meta.env.VITE_APP_ORIGIN ?? location.origin,
    ...ownTokens(service, uid),
    clock: systemClock,
  });
}

export async function loadSync(request: SyncRequest): Promise<SyncHandle> {
  const [service, remoteFiles, transcriber, { outbox }, { startSync }] = await Promise.all([
    loadAuth(),
    loadRemoteFiles(request.uid),
    loadTranscriber(request.uid),
    request.loadFiles(),
    import('./start-sync.ts'),
    request.retryRefused(),
  ]);
  const config = firebaseConfigOfBuild();
  return startSync({ ...request, service, remoteFiles, transcriber, outbox, config });
}

/** Tells an owner whose databases were cleared since the last visit. Its code comes when the page is idle. */
export async function tellVanished(
  store: ReturnType<typeof createStore>,
  data: Data,
  ended: AbortSignal,
): Promise<void> {
  // Read at once: sync, which changes it, begins when the page is idle.
  const wasFetched = await firstValue(data.queries.fetchedOnce());
  await new Promise<void>((resolve) => whenIdle(resolve));
  const { tellVanishedData } = await import('./vanished-data.ts');
  if (!ended.aborted) await tellVanishedData(store, { data, wasFetched, ended });
}
