import type { createStore } from 'jotai';
import type { RemoteFiles, Transcriber } from '../../../replication/ports.ts';
import type { Data } from '../../data/data-context.ts';
import { notLoaded } from '../../platform/auth/auth.ts';
import type { FirebaseAuthService } from '../../platform/auth/firebase-auth.ts';
import { firstValue } from '../../lib/async/first-value.ts';
import { lazyService } from '../../lib/async/lazy-service.ts';
import type { AppTokenSource } from '../../platform/auth/app-check.ts';
import { isNative } from '../../platform/native-platform.ts';
import { systemClock } from '../../platform/system-clock.ts';
import { whenIdle } from '../../platform/when-idle.ts';
import { firebaseConfigOfBuild } from '../firebase-config.ts';
import type { SyncHandle, SyncRequest } from '../sync/sync-handle.ts';

/**
 * The first screen needs neither the identity provider nor sync: both load when they are first needed, and the bell
 * after them.
 */
const auth = lazyService(async (): Promise<FirebaseAuthService> => {
  const [{ createFirebaseAuth }, { firebaseApp }] = await Promise.all([
    import('../../platform/auth/firebase-auth.ts'),
    import('../../../replication/firebase/config.ts'),
  ]);
  const config = firebaseConfigOfBuild();
  return createFirebaseAuth({
    app: firebaseApp(config),
    serverOrigin: config.serverOrigin,
    // In the native wrapper the pages come from the device itself.
    appOrigin: import.meta.env.VITE_APP_ORIGIN ?? location.origin,
  });
});

/** Loads the identity provider. A call after a failed download retries. @throws {AuthError} if the download fails. */
export async function loadAuth(): Promise<FirebaseAuthService> {
  try {
    return await auth.load();
  } catch (error) {
    throw notLoaded(error);
  }
}

/** Loads access to that owner's files on the server, which refuses requests without their sign-in. */
export async function loadRemoteFiles(uid: string): Promise<RemoteFiles> {
  const [service, { createStorageFiles }] = await Promise.all([
    loadAuth(),
    import('../../../replication/firebase/storage-files.ts'),
  ]);
  return createStorageFiles({
    config: firebaseConfigOfBuild(),
    idToken: (isRenewed) => service.idTokenOf(uid, isRenewed),
    clock: systemClock,
  });
}

/** The next recording retries a failed download. */
const appTokens = lazyService(async (): Promise<AppTokenSource | null> => {
  const siteKey = import.meta.env.VITE_FIREBASE_APP_CHECK_KEY;
  // The native wrapper does not support reCAPTCHA.
  if (siteKey === undefined || isNative()) return null;
  const { openAppTokens } = await import('../../platform/auth/app-check.ts');
  return openAppTokens(firebaseConfigOfBuild(), siteKey, systemClock);
});

/** Returns the App Check token; null if this build or page has none, or its code does not come. */
async function readAppToken(): Promise<string | null> {
  try {
    return (await (await appTokens.load())?.()) ?? null;
  } catch {
    return null;
  }
}

/** Loads the transcription for that owner, which the server refuses without their sign-in. */
export async function loadTranscriber(uid: string): Promise<Transcriber> {
  const [service, { createTranscriber }] = await Promise.all([
    loadAuth(),
    import('../../../replication/firebase/transcriber.ts'),
  ]);
  return createTranscriber({
    origin: import.meta.env.VITE_APP_ORIGIN ?? location.origin,
    idToken: (isRenewed) => service.idTokenOf(uid, isRenewed),
    appToken: readAppToken,
    clock: systemClock,
  });
}

export async function loadSync(request: SyncRequest): Promise<SyncHandle> {
  const [service, remoteFiles, transcriber, { outbox }, { startSync }] = await Promise.all([
    loadAuth(),
    loadRemoteFiles(request.uid),
    loadTranscriber(request.uid),
    request.loadFiles(),
    import('../sync/start-sync.ts'),
    request.retryRefused(),
  ]);
  const config = firebaseConfigOfBuild();
  return startSync({ ...request, service, remoteFiles, transcriber, outbox, config });
}

/** Tells an owner whose databases were evicted since the last visit. The code loads when the page is idle. */
export async function reportEvicted(
  store: ReturnType<typeof createStore>,
  data: Data,
  ended: AbortSignal,
): Promise<void> {
  // This value is read at once, before sync changes it when the page is idle.
  const wasFetched = await firstValue(data.queries.fetchedOnce());
  await new Promise<void>((resolve) => whenIdle(resolve));
  const { reportEvictedData } = await import('./evicted-data.ts');
  if (!ended.aborted) await reportEvictedData(store, { data, wasFetched, ended });
}
