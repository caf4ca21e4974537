/**
 * Loads a classic script and runs it. A later call tries again after a failure.
 * @throws {Error} with the message of Chromium for a module that did not load, which `loadChunk` knows.
 */
export function loadScript(address: string): Promise<void> {
  const script = document.createElement('script');
  script.src = address;
  const loaded = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () =>
      reject(new Error(`Failed to fetch dynamically imported module: ${script.src}`)),
    );
  });
  document.head.append(script);
  return loaded.finally(() => script.remove());
}
