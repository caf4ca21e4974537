import { browserOnlineSignal, connection } from '../../platform/connection.ts';
import { watchReturnToPage } from '../../platform/page-visibility.ts';
import { whenIdle } from '../../platform/when-idle.ts';
import { lazyService } from '../../lib/async/lazy-service.ts';
import { reasonOf } from '../log.ts';
import type { LoadSync, OnActivity, SyncHandle, SyncRequest } from './sync-handle.ts';

type LazySyncOptions = SyncRequest & { readonly loadSync: LoadSync };

/** A sync whose code loads later. */
export interface LazySync {
  /** The running sync; undefined until it is loaded. */
  readonly running: () => SyncHandle | undefined;
  /** Loads it now. */
  readonly load: () => void;
  readonly stop: () => Promise<void>;
}

/**
 * Creates a sync whose code loads when the page is idle.
 *
 * - A load that fails is reported as a problem, and retried with the next `load`, connection or return to the page.
 * - Writes before the code is loaded are not lost, because sync sends everything when it starts.
 * - The page's connection state follows the results of sync in any tab. Until sync reports, which takes long while a
 *   worker syncs, the activity shows the page's own connection state.
 */
export function createLazySync({ loadSync, ...request }: LazySyncOptions): LazySync {
  const { log } = request;
  const retryWatches: (() => void)[] = [];
  let loading: Promise<unknown> = Promise.resolve();
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

  const sync = lazyService(async () => {
    unwatch();
    try {
      const loaded = await loadSync({ ...request, onActivity });
      log('sync-started');
      return loaded;
    } catch (error) {
      log('sync-not-loaded', reasonOf(error));
      if (isStopped) throw error;
      const phase = connection.isOnline() ? 'problem' : 'offline';
      onActivity({ phase, problem: 'not-loaded' });
      retryWatches.push(browserOnlineSignal.watch(load), watchReturnToPage(load));
      throw error;
    }
  });

  function load(): void {
    if (!isStopped) loading = sync.load().catch(() => undefined);
  }

  whenIdle(load);
  return {
    running: sync.getSnapshot,
    load,
    stop: async () => {
      isStopped = true;
      leaveWordToSync();
      unwatch();
      await loading;
      await sync.getSnapshot()?.stop();
    },
  };
}
