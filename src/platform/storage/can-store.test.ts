import { IDBFactory } from 'fake-indexeddb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { canStore } from './can-store.ts';

afterEach(() => vi.unstubAllGlobals());

describe('whether databases can be made here', () => {
  it('leaves none behind', async () => {
    const factory = new IDBFactory();
    vi.stubGlobal('indexedDB', factory);
    expect(await canStore()).toBe(true);
    await vi.waitFor(async () => expect(await factory.databases()).toEqual([]));
  });

  it('says so where the browser refuses', async () => {
    const open = () => {
      throw new DOMException('refused', 'SecurityError');
    };
    vi.stubGlobal('indexedDB', { open });
    expect(await canStore()).toBe(false);
  });

  it('says so where the browser fails', async () => {
    const opening = new EventTarget();
    vi.stubGlobal('indexedDB', { open: () => opening });
    const answer = canStore();
    opening.dispatchEvent(new Event('error'));
    expect(await answer).toBe(false);
  });
});
