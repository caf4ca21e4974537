import type { Log } from '../../replication/ports.ts';

/** Registers the worker that makes the app start without a network. Without one the app still runs, online. */
export async function registerServiceWorker(log: Log): Promise<void> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  try {
    const { Workbox } = await import('workbox-window');
    await new Workbox('/sw.js').register();
  } catch (error) {
    log('worker-not-registered', { reason: error instanceof Error ? error.name : 'unknown' });
  }
}
