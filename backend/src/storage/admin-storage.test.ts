import { describe, expect, it } from 'vitest';
import { namesOf, openTestStorage } from '../../tests/support/test-storage.ts';
import { createAdminStorage } from './admin-storage.ts';

async function setUp() {
  const { storage } = await openTestStorage({ policy: () => false });
  const admin = createAdminStorage(storage);
  const put = (name: string, metadata = {}) =>
    admin.put(name, Buffer.from(name), { contentType: 'text/plain', metadata });
  return { admin, put, storage };
}

describe('the door of the embedding process to files', () => {
  it('lists page by page, in the order of names, and goes on where a page ended', async () => {
    const { admin, put } = await setUp();
    for (const name of ['a/3', 'a/1', 'a/b/2', 'ab']) await put(name);
    const page = (after: string | null) => {
      const { objects, next } = admin.list({ prefix: 'a/', limit: 2, after });
      return { names: objects.map(({ name }) => name), next };
    };
    expect(page(null)).toEqual({ names: ['a/1', 'a/3'], next: 'a/3' });
    await admin.delete('a/3');
    expect(page('a/3')).toEqual({ names: ['a/b/2'], next: null });
    expect(admin.list({ prefix: 'none/', limit: 2, after: null }).objects).toEqual([]);
  });

  it('changes custom metadata, and neither contents, hash, generation nor tokens', async () => {
    const { admin, put, storage } = await setUp();
    const seen = await put('a', { kept: '1', removed: '2' });
    const changed = await admin.updateUnchanged(seen, { removed: null, added: '3' });
    expect(changed).toEqual({
      ...seen,
      metageneration: seen.metageneration + 1,
      settings: { ...seen.settings, custom: new Map(Object.entries({ kept: '1', added: '3' })) },
      updatedMs: expect.any(Number),
    });
    expect(admin.get('a')).toEqual(changed);
    expect(Buffer.from((await admin.read('a')) ?? []).toString()).toBe('a');
    expect(namesOf(storage.bucket).length).toBe(1);
  });

  it.each([
    ['uploaded anew', async ({ put }: Opened) => void (await put('a'))],
    [
      'changed',
      async ({ admin }: Opened) => {
        const object = admin.get('a');
        if (object !== null) await admin.updateUnchanged(object, { by: 'another' });
      },
    ],
    ['deleted', async ({ admin }: Opened) => void (await admin.delete('a'))],
  ])('does nothing to an object that was %s since it was seen', async (_what, change) => {
    const opened = await setUp();
    const { admin, put } = opened;
    const seen = await put('a');
    await change(opened);
    const now = admin.get('a');
    expect(await admin.updateUnchanged(seen, { mark: '1' })).toBeNull();
    expect(await admin.deleteUnchanged(seen)).toBe(false);
    expect(admin.get('a')).toEqual(now);
  });

  it('deletes an object that is as it was seen', async () => {
    const { admin, put } = await setUp();
    expect(await admin.deleteUnchanged(await put('a'))).toBe(true);
    expect(admin.get('a')).toBeNull();
    expect(await admin.read('a')).toBeNull();
  });
});

type Opened = Awaited<ReturnType<typeof setUp>>;
