/** Keeps the screen on, if the browser supports it. @returns a function that releases the lock. */
export function keepAwake(): () => void {
  if (!('wakeLock' in navigator)) return () => undefined;
  const asked = navigator.wakeLock.request('screen').catch(() => null);
  return () => {
    void asked.then((lock) => lock?.release()).catch(() => undefined);
  };
}
