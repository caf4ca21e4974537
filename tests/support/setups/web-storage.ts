import { vi } from 'vitest';

/** Replaces the web storage, which Node lacks, until the test ends. Its keys are its own properties, as in a browser. */
export function stubWebStorage(): void {
  const storage: Record<string, string> = {};
  Object.defineProperties(storage, {
    getItem: { value: (key: string) => storage[key] ?? null },
    setItem: { value: (key: string, value: string) => void (storage[key] = value) },
  });
  vi.stubGlobal('localStorage', storage);
}
