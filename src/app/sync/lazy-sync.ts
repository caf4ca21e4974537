import { browserOnlineSignal, connection } from '../../platform/connection.ts';
import { watchReturnToPage } from '../../platform/page-visibility.ts';
import { whenIdle } from '../../platform/when-idle.ts';
import type { LoadSync, OnActivity, SyncHandle, SyncRequest } from './sync-handle.ts';

type LazySyncOptions = SyncRequest & { readonly loadSync: LoadSync };

/**
 * Creates a sync whose code loads when the page is idle.
 *
 * - A load that fails is reported as a problem, and retried with the next poke, connection or return to the page.
 * - Pokes before the code is loaded are not lost, because sync sends everything when it starts.
 * - The page's connection state follows the results of sync in any tab. Until sync reports, which takes long while a
 *   worker syncs, the activity shows the page's own connection state.
 */
export function createLazySync({ loadSync, ...request }: LazySyncOptions): SyncHandle {
  const { log } = request;
  const retryWatches: (() => void)[] = [];
  let loaded: SyncHandle | null = null;
  let loading: Promise<void> | null = null;
  let isStopped = false;

  const tellConnection = (): void =>
    request.onActivity({ phase: connection.isOnline() ? 'starting' : 'offline', problem: null });
  const leaveWordToSync = connection.watch(tellConnection);
  if (!connection.isOnline()) tellConnection();

  const onActivity: OnActivity = (activity) => {
    leaveWordToSync();
    if (activity.phase === 'offline') connection.note(false);
    if (activity.phase === 'idle') connection.note(true);
    request.onActivity(activity);
  };

  const unwatch = (): void => {
    for (const stop of retryWatches.splice(0)) stop();
  };

  const load = async (): Promise<void> => {
    unwatch();
    try {
      loaded = await loadSync({ ...request, onActivity });
      log('sync-started');
    } catch (error) {
      loading = null;
      log('sync-not-loaded', { reason: error instanceof Error ? error.name : 'unknown' });
      if (isStopped) return;
      const phase = connection.isOnline() ? 'problem' : 'offline';
      onActivity({ phase, problem: 'not-loaded' });
      retryWatches.push(browserOnlineSignal.watch(ensureLoaded), watchReturnToPage(ensureLoaded));
    }
  };

  function ensureLoaded(): void {
    if (!isStopped) loading ??= load();
  }

  whenIdle(ensureLoaded);
  return {
    poke: (reason) => {
      if (loaded !== null) loaded.poke(reason);
      else if (reason === 'manual') ensureLoaded();
    },
    stop: async () => {
      isStopped = true;
      leaveWordToSync();
      unwatch();
      await loading;
      await loaded?.stop();
    },
  };
}
