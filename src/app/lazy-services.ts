import type { createStore } from 'jotai';
import type { RemoteFiles, Transcriber } from '../../replication/ports.ts';
import { eraseDatabases } from '../../replication/store/erase.ts';
import type { Organization } from '../../schemas/organization.ts';
import type { Data } from '../data/data-context.ts';
import { AuthError } from '../platform/auth.ts';
import type { FirebaseAuthService } from '../platform/firebase-auth.ts';
import { firstValue } from '../lib/first-value.ts';
import { syncActivityAtom } from '../platform/session.ts';
import { systemClock } from '../platform/system-clock.ts';
import { whenIdle } from '../platform/when-idle.ts';
import type { BriefSessions } from './brief-sessions.ts';
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
  return createFirebaseAuth({
    app: firebaseApp(config),
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
    throw new AuthError('auth/network-request-failed', { cause: error });
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
    idToken: (isRenewed) => service.idTokenOf(uid, isRenewed),
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
    idToken: (isRenewed) => service.idTokenOf(uid, isRenewed),
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
  ]);
  const config = firebaseConfigOfBuild();
  return startSync({ ...request, service, remoteFiles, transcriber, outbox, config });
}

/** @throws {AuthError} {RemoteError} without a connection, or if the server refuses. */
export async function readOrganizations(): Promise<readonly Organization[]> {
  const [service, documents, organizations] = await Promise.all([
    loadAuth(),
    import('../../replication/firebase/firestore-documents.ts'),
    import('../../replication/firebase/organizations.ts'),
  ]);
  await service.ready();
  const firestore = documents.openFirestore(firebaseConfigOfBuild());
  return organizations.readOrganizations(firestore, systemClock);
}

let briefSessions: Promise<BriefSessions> | null = null;

async function importBriefSessions(): Promise<BriefSessions> {
  const [{ createBriefSessions }, { hasUnsentOnDevice }] = await Promise.all([
    import('./brief-sessions.ts'),
    import('./unsent-on-device.ts'),
  ]);
  return createBriefSessions({
    locks: navigator.locks,
    eraseDatabases,
    hasUnsent: hasUnsentOnDevice,
  });
}

export async function loadBriefSessions(): Promise<BriefSessions> {
  briefSessions ??= importBriefSessions();
  try {
    return await briefSessions;
  } catch (error) {
    briefSessions = null;
    throw error;
  }
}

/** Tells an owner of what an earlier session of theirs had not sent; sync sends it now. */
export async function tellFoundUnsent(
  store: ReturnType<typeof createStore>,
  data: Data,
): Promise<void> {
  const [{ unsentWords }, { toastsOf }] = await Promise.all([
    import('./unsent-on-device.ts'),
    import('../platform/toasts.ts'),
  ]);
  const words = await unsentWords(data);
  if (words === null) return;
  const message = `Still here from your last visit: ${words}. What can be sent is sent now.`;
  toastsOf(store).show({ message, durationMs: 0 });
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
  const [{ watchVanishedData }, { toastsOf }] = await Promise.all([
    import('./vanished-data.ts'),
    import('../platform/toasts.ts'),
  ]);
  const activity = {
    getSnapshot: () => store.get(syncActivityAtom),
    subscribe: (onChange: () => void) => store.sub(syncActivityAtom, onChange),
  };
  const toasts = toastsOf(store);
  if (!ended.aborted) await watchVanishedData({ data, toasts, wasFetched, activity, ended });
}
