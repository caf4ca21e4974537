import { afterEach, expect, it, vi } from 'vitest';
import { clearsUnvisited, protectStorageOnce, readStorage } from './storage-protection.ts';

const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Safari/604.1';
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36';

function stub(storage: object | undefined, userAgent = ''): void {
  const value = storage === undefined ? {} : { storage: { value: storage } };
  const bare = Object.create({ userAgent }, value);
  vi.stubGlobal('navigator', bare);
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it('asks once by itself, and once more when the app was installed', async () => {
  const persist = vi.fn<() => Promise<boolean>>(async () => false);
  stub({ persist });
  await protectStorageOnce();
  await protectStorageOnce();
  expect(persist).toHaveBeenCalledTimes(1);
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  await protectStorageOnce();
  await protectStorageOnce();
  expect(persist).toHaveBeenCalledTimes(2);
});

it('reports null for each question that the browser cannot answer', async () => {
  stub(undefined);
  await protectStorageOnce();
  expect(await readStorage()).toEqual({ isProtected: null, used: null });
  stub({
    persisted: () => Promise.reject(new Error('no')),
    estimate: () => Promise.reject(new Error('no')),
  });
  expect(await readStorage()).toEqual({ isProtected: null, used: null });
});

it('reports the protection of a browser without `estimate`, as Safari 16 is', async () => {
  stub({ persisted: async () => true });
  expect(await readStorage()).toEqual({ isProtected: true, used: null });
});

it('reports that WebKit clears unvisited sites, except for an app on the home screen', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  stub({}, chrome);
  expect(clearsUnvisited()).toBe(false);
  stub({}, safari);
  expect(clearsUnvisited()).toBe(true);
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  expect(clearsUnvisited()).toBe(false);
});
