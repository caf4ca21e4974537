/**
 * Loads a classic script and runs it. A later call tries again after a failure.
 * @param read returns what the script has defined; undefined if that is nothing, as of another page in its place.
 * @throws {Error} with the message of Chromium for a module that did not load, which `loadChunk` knows.
 */
export function loadScript<Result>(
  address: string,
  read: () => Result | undefined,
): Promise<Result> {
  const script = document.createElement('script');
  script.src = address;
  const loaded = new Promise<Result>((resolve, reject) => {
    const settle = (): void => {
      const result = read();
      if (result !== undefined) resolve(result);
      else reject(new Error(`Failed to fetch dynamically imported module: ${script.src}`));
    };
    script.addEventListener('load', settle);
    script.addEventListener('error', settle);
  });
  document.head.append(script);
  return loaded.finally(() => script.remove());
}
