import { backgroundSyncTag, pageLeftMessage } from '../../schemas/local/relay-message.ts';

/** A registration with Background Sync, which only Chromium has and the platform's types lack. */
interface SyncRegistration extends ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> };
}

let registration: SyncRegistration | null = null;

/** Finds the worker ahead of time, because a page that is being left has no time to wait for it. */
async function findWorker(): Promise<SyncRegistration | null> {
  if (!('serviceWorker' in navigator)) return null;
  registration ??= await navigator.serviceWorker.ready;
  return registration;
}

/**
 * Has the browser wake the worker once there is a connection, even after this page is closed. Does nothing where that
 * is unsupported or forbidden.
 */
export async function requestBackgroundSync(): Promise<void> {
  try {
    const worker = await findWorker();
    await worker?.sync?.register(backgroundSyncTag);
  } catch {
    // It is forbidden, or the worker is gone: sync continues at the next start.
  }
}

/** Has the worker sync at once, in every browser, because this page may be closed in a moment. */
export function handOverToWorker(): void {
  navigator.serviceWorker?.controller?.postMessage(pageLeftMessage);
}

/** Makes a later {@link requestBackgroundSync} quick. */
export function prepareBackgroundSync(): void {
  findWorker().catch(() => undefined);
}
