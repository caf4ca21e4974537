import { watchReturnToPage } from '../page-visibility.ts';

function lockScreen(): () => void {
  const asked = navigator.wakeLock.request('screen').catch(() => null);
  return () => void asked.then((lock) => lock?.release()).catch(() => undefined);
}

/**
 * Keeps the screen on whenever the page is visible, if the browser supports it: the browser releases the lock of a page
 * that is hidden.
 * @returns a function that releases the lock.
 */
export function keepAwake(): () => void {
  if (!('wakeLock' in navigator)) return () => undefined;
  let unlock = lockScreen();
  const unwatch = watchReturnToPage(() => {
    unlock();
    unlock = lockScreen();
  });
  return () => {
    unwatch();
    unlock();
  };
}
