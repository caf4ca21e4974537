import type { BellOptions } from '../../../replication/firebase/bell/bell.ts';
import { whenIdle } from '../../platform/when-idle.ts';
import { reasonOf } from '../log.ts';

/**
 * Loads the bell when the page is idle and there is a connection, and retries a failed load with the next connection.
 * Only this file may load it, because it is large, and sync is correct without it.
 * @returns a function that stops listening.
 */
export function startBell(options: BellOptions): () => void {
  const { online, log } = options;
  let isStopped = false;
  let stopListening: (() => void) | null = null;
  let loading: Promise<void> | null = null;

  const load = async (): Promise<void> => {
    try {
      const { listenToBell } = await import('../../../replication/firebase/bell/bell.ts');
      if (!isStopped) stopListening = listenToBell(options);
    } catch (error) {
      loading = null;
      log('bell-not-loaded', reasonOf(error));
    }
  };

  const loadWhenOnline = (): void => {
    if (!isStopped && online.isOnline()) loading ??= load();
  };

  const unwatch = online.watch(loadWhenOnline);
  whenIdle(loadWhenOnline);
  return () => {
    isStopped = true;
    unwatch();
    stopListening?.();
  };
}
