import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile } from '../../tests/support/rules-kit.ts';
import { petFilesRules } from '../../tests/support/rules-fixture.ts';
import type { RuleFields } from '../rules/rule-value.ts';
import type { StorageAccessRequest } from '../storage/access-policy.ts';
import { etagOf, type DraftObject } from '../storage/objects/stored-object.ts';
import { createStorageRules } from './storage-rules.ts';

const owned = (value: string): RuleFields => new Map([['ownerId', { kind: 'string', value }]]);
const pets = new Map([
  ['pets/rex', owned('alice')],
  ['pets/bello', owned('bob')],
]);

const policyOf = (source: string) => {
  const ruleset = compile(source, 'firebase.storage');
  return createStorageRules(ruleset, (path) => {
    const fields = pets.get(path);
    return fields === undefined ? null : { fields };
  });
};

const rulesOf = (body: string) =>
  `rules_version = '2';\nservice firebase.storage {\nmatch /b/{bucket}/o {\n${body}\n}\n}`;

const asked = (more: Partial<StorageAccessRequest> = {}): StorageAccessRequest => ({
  method: 'get',
  bucket: 'files',
  path: 'pets/rex/a.png',
  auth: { uid: 'alice', claims: { email: 'a@b.c' }, expiresAtMs: Infinity },
  resource: null,
  newResource: null,
  timeMs: Date.UTC(2026, 0, 2),
  ...more,
});

const file: DraftObject = {
  name: 'pets/rex/a.png',
  generation: 7,
  metageneration: 2,
  size: 11,
  createdMs: Date.UTC(2026, 0, 1),
  updatedMs: Date.UTC(2026, 0, 1, 1),
  md5Hash: 'abc==',
  settings: {
    contentType: 'image/png',
    contentDisposition: 'inline',
    contentEncoding: 'identity',
    contentLanguage: null,
    cacheControl: null,
    custom: new Map([['__proto__', 'x']]),
  },
};

describe('files of a pet, by rules that ask Firestore', () => {
  const policy = policyOf(readFileSync(petFilesRules, 'utf8'));
  it.each([
    ['pets/rex', 'alice', true],
    ['pets/rex/images/profile.png', 'alice', true],
    ['pets/bello/images/profile.png', 'alice', false],
    ['pets/rex/images/profile.png', 'bob', false],
    ['pets/rex/images/profile.png', null, false],
    ['pets/none/images/profile.png', 'alice', false],
    ['pets/toString/a', 'alice', false],
    ['pets//a', 'alice', false],
    ['pets', 'alice', false],
    ['', 'alice', false],
    ['users/alice/a', 'alice', false],
  ] as const)('%s by %s: %s', (path, uid, isAllowed) => {
    const auth = uid === null ? null : { uid, claims: {}, expiresAtMs: Infinity };
    for (const method of ['get', 'list', 'create', 'update', 'delete'] as const) {
      expect(policy(asked({ method, path, auth }))).toBe(isAllowed);
    }
  });
});

describe('the variables', () => {
  it.each([
    "resource.name == 'pets/rex/a.png' && resource.bucket == bucket && bucket == 'files'",
    'resource.size == 11 && resource.size is int && resource.generation == 7',
    'resource.metageneration == 2 && resource.timeCreated.toMillis() == 1767225600000',
    'resource.updated.toMillis() == 1767229200000',
    `resource.md5Hash == 'abc==' && resource.etag == '${etagOf(file)}'`,
    "resource.contentType.matches('image/.*') && resource.contentDisposition == 'inline'",
    "resource.contentEncoding == 'identity' && resource.contentLanguage == null",
    "resource.metadata.__proto__ == 'x' && resource.metadata.size() == 1",
    'request.path == /b/files/o/pets/rex/a.png && request.time.toMillis() == 1767312000000',
    "request.method == 'get' && request.auth.token.email == 'a@b.c'",
    "path == /pets/rex/a.png && path[1] == 'rex'",
    'firestore.exists(/databases/(default)/documents/pets/rex)',
    '!firestore.exists(/databases/(default)/documents/pets/none)',
    "firestore.get(/databases/(default)/documents/pets/$(path[1])).data.ownerId == 'alice'",
  ])('%s', (condition) => {
    const policy = policyOf(rulesOf(`match /{path=**} { allow get: if ${condition}; }`));
    expect(policy(asked({ resource: file }))).toBe(true);
    const opposite = policyOf(rulesOf(`match /{path=**} { allow get: if !(${condition}); }`));
    expect(opposite(asked({ resource: file }))).toBe(false);
  });

  it.each([
    ['create', 'request.resource.size < 12 && resource == null', true],
    ['create', 'request.resource.size < 11', false],
    ['delete', 'request.resource == null', true],
    ['get', 'request.resource == null', false],
    ['list', 'resource == null', true],
  ] as const)('%s sees %s: %s', (method, condition, isAllowed) => {
    const policy = policyOf(rulesOf(`match /{path=**} { allow ${method}: if ${condition}; }`));
    const newResource = method === 'create' ? file : null;
    expect(policy(asked({ method, newResource }))).toBe(isAllowed);
  });

  it('two documents of Firestore can be asked for, not three', () => {
    const asking = (...ids: string[]) =>
      ids.map((id) => `!firestore.exists(/databases/(default)/documents/a/${id})`).join(' && ');
    const may = (condition: string) =>
      policyOf(rulesOf(`match /{path=**} { allow get: if ${condition}; }`))(asked());
    expect(may(asking('1', '2', '1'))).toBe(true);
    expect(may(asking('1', '2', '3'))).toBe(false);
  });
});
