import { describe, expect, it } from 'vitest';
import { createPetFilesPolicy } from './pet-files.ts';

const policy = createPetFilesPolicy((petId) => ({ rex: 'alice', bello: 'bob' })[petId] ?? null);

const may = (path: string, uid: string | null) =>
  (['get', 'list', 'create', 'update', 'delete'] as const).map((method) =>
    policy({
      method,
      path,
      bucket: 'b',
      auth: uid === null ? null : { uid, claims: {} },
      resource: null,
      newResource: null,
      timeMs: 0,
    }),
  );

describe('files of a pet', () => {
  it.each([
    ['pets/rex', 'alice', true],
    ['pets/rex/images/profile.png', 'alice', true],
    ['pets/bello/images/profile.png', 'alice', false],
    ['pets/rex/images/profile.png', 'bob', false],
    ['pets/rex/images/profile.png', null, false],
    ['pets/none/images/profile.png', 'alice', false],
    ['pets/toString/a', 'alice', false],
    ['pets//a', 'alice', false],
    ['pets/rex//a', 'alice', false],
    ['pets', 'alice', false],
    ['', 'alice', false],
    ['users/alice/a', 'alice', false],
  ] as const)('%s by %s: %s', (path, uid, isAllowed) => {
    expect(new Set(may(path, uid))).toEqual(new Set([isAllowed]));
  });
});
