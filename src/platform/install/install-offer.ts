import { atom, type createStore } from 'jotai';
import { isInstalled } from './installed.ts';

/** How the app can be installed on this device. On iOS nothing can ask for it: the owner does it by hand. */
export type InstallWay =
  { readonly kind: 'offer'; readonly ask: () => Promise<unknown> } | { readonly kind: 'by-hand' };

/** null: not at all, or it is installed. */
export const installWayAtom = atom<InstallWay | null>(null);

/** An iPad calls itself a Mac, which has no touch screen. */
function isIos(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/** From the very start: the browser makes its offer once, and early. */
export function watchInstallOffer(store: ReturnType<typeof createStore>): void {
  if (isInstalled()) return;
  if (isIos()) store.set(installWayAtom, { kind: 'by-hand' });
  window.addEventListener('beforeinstallprompt', (event) => {
    // Its own bar would come at any moment.
    event.preventDefault();
    const ask = async (): Promise<void> => {
      // An offer can be taken once; a browser that wants to makes another.
      store.set(installWayAtom, null);
      const prompt: unknown = Reflect.get(event, 'prompt');
      if (typeof prompt === 'function') {
        // A browser may think better of it.
        await Promise.resolve(prompt.call(event)).catch(() => undefined);
      }
    };
    store.set(installWayAtom, { kind: 'offer', ask });
  });
  window.addEventListener('appinstalled', () => store.set(installWayAtom, null));
}
