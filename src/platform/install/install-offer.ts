import { atom, type createStore } from 'jotai';
import { isInstalled } from './installed.ts';

/** The ways to install the app on this device. iOS has no prompt, so the owner installs it by hand. */
export type InstallWay =
  | { readonly kind: 'offer'; readonly ask: () => Promise<unknown> }
  | { readonly kind: 'by-hand' };

/** The way to install the app; null if there is none, or it is installed. */
export const installWayAtom = atom<InstallWay | null>(null);

/** Whether the device runs iOS. An iPad reports itself as a Mac, which has no touch screen. */
function isIos(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/** Watches for the browser's install prompt. It must start early, because the browser fires the event once. */
export function watchInstallOffer(store: ReturnType<typeof createStore>): void {
  if (isInstalled()) return;
  if (isIos()) store.set(installWayAtom, { kind: 'by-hand' });
  window.addEventListener('beforeinstallprompt', (event) => {
    // Otherwise the browser would show its own bar at any moment.
    event.preventDefault();
    const ask = async (): Promise<void> => {
      // A prompt can be used once; the browser may fire another one.
      store.set(installWayAtom, null);
      const prompt: unknown = Reflect.get(event, 'prompt');
      if (typeof prompt === 'function') {
        // The browser may refuse the prompt.
        await Promise.resolve(prompt.call(event)).catch(() => undefined);
      }
    };
    store.set(installWayAtom, { kind: 'offer', ask });
  });
  window.addEventListener('appinstalled', () => store.set(installWayAtom, null));
}
