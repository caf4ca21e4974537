import { afterEach, expect, it, vi } from 'vitest';
import { protectStorageOnce, readStorage } from './storage-protection.ts';

function stub(storage: object | undefined): void {
  const value = storage === undefined ? {} : { storage: { value: storage } };
  const bare = Object.create({ userAgent: '' }, value);
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
