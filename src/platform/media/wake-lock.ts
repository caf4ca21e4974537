/** Keeps the screen on, where that can be asked for. @returns a function that lets go. */
export function keepAwake(): () => void {
  if (!('wakeLock' in navigator)) return () => undefined;
  const asked = navigator.wakeLock.request('screen').catch(() => null);
  return () => {
    void asked.then((lock) => lock?.release()).catch(() => undefined);
  };
}
