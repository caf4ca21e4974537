/** What the browser says of its connection. "Online" promises nothing; "offline" can be believed. */
export const browserOnlineSignal = {
  isOnline: (): boolean => navigator.onLine,
  /** @returns a function that stops watching. */
  watch: (onChange: (online: boolean) => void): (() => void) => {
    const report = (): void => onChange(navigator.onLine);
    window.addEventListener('online', report);
    window.addEventListener('offline', report);
    return () => {
      window.removeEventListener('online', report);
      window.removeEventListener('offline', report);
    };
  },
};
