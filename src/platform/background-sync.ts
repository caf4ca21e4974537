import { backgroundSyncTag, pageLeftMessage } from '../../schemas/local/relay-message.ts';

/** Background Sync, which only Chromium has and the types of the platform do not know. */
interface SyncRegistration extends ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> };
}

let registration: SyncRegistration | null = null;

/** Finds the worker ahead of time: when a page goes there is none to wait. */
async function findWorker(): Promise<SyncRegistration | null> {
  if (!('serviceWorker' in navigator)) return null;
  registration ??= await navigator.serviceWorker.ready;
  return registration;
}

/**
 * Has the browser wake the worker once there is a connection, also after this page was closed. Where it cannot, or its
 * owner has forbidden it, nothing happens.
 */
export async function requestBackgroundSync(): Promise<void> {
  try {
    const worker = registration ?? (await findWorker());
    await worker?.sync?.register(backgroundSyncTag);
  } catch {
    // Forbidden in this browser, or the worker has gone: sync goes on at the next start.
  }
}

/** Has the worker go on at once, in every browser: this page may be gone in the next moment. */
export function handOverToWorker(): void {
  navigator.serviceWorker?.controller?.postMessage(pageLeftMessage);
}

/** For {@link requestBackgroundSync} to be quick. */
export function prepareBackgroundSync(): void {
  findWorker().catch(() => undefined);
}
