import { describe, expect, it } from 'vitest';
import { deleteWrite, int, setWrite, str, writes } from '../../tests/support/firestore-json.ts';
import { compile, firestoreRules } from '../../tests/support/rules-kit.ts';
import {
  aliceCaller,
  bobCaller,
  databaseNames,
  openTestDatabase,
} from '../../tests/support/test-database.ts';
import { admin, type Caller } from '../caller.ts';
import { restReads } from '../firestore/rest/rest-methods.ts';
import { finish } from '../limits/slices.ts';
import { createFirestoreRules } from './firestore-rules.ts';

async function openRuled(body: string) {
  const ruleset = compile(firestoreRules(`match /databases/{database}/documents { ${body} }`));
  const { database } = await openTestDatabase({ policy: createFirestoreRules(ruleset) });
  await database.commit(
    admin,
    writes(setWrite('pets/rex', { owner: str('alice'), n: int(1) }), setWrite('logs/1', {})),
  );
  const mayCommit = (caller: Caller, ...json: unknown[]) =>
    database.commit(caller, writes(...json)).then(
      () => true,
      () => false,
    );
  return { database, mayCommit };
}

const pet = (path: string, fields: Record<string, unknown> = {}) => setWrite(path, fields);
const verify = (path: string) => ({
  verify: databaseNames.toName(path),
  currentDocument: { exists: true },
});

describe('a write', () => {
  it.each([
    ['create', [pet('pets/new')], true],
    ['create', [pet('pets/rex')], false],
    ['create', [deleteWrite('pets/rex')], false],
    ['update', [pet('pets/rex')], true],
    ['update', [pet('pets/new')], false],
    ['delete', [deleteWrite('pets/rex')], true],
    ['delete', [pet('pets/rex')], false],
    ['write', [pet('pets/new'), pet('pets/rex'), deleteWrite('pets/old')], true],
    ['read', [pet('pets/new')], false],
    ['get', [verify('pets/rex')], true],
    ['create, update, delete', [verify('pets/rex')], false],
    ['create', [pet('pets/a'), pet('pets/b')], true],
    ['create', [pet('pets/a'), pet('pets/rex')], false],
    ['create', [pet('pets/a'), pet('logs/1')], false],
    ['create, delete', [pet('pets/a'), deleteWrite('pets/a'), pet('pets/a')], true],
    ['update', [deleteWrite('pets/rex'), pet('pets/rex')], false],
  ])('is authorized as what it does, each by itself: %s', async (methods, json, isAllowed) => {
    const { mayCommit } = await openRuled(`match /pets/{id} { allow ${methods}; }`);
    expect(await mayCommit(aliceCaller, ...json)).toBe(isAllowed);
  });

  it.each([
    ["request.resource.data.owner == 'bob' && resource.data.owner == 'alice'", true],
    ["request.resource.data.diff(resource.data).affectedKeys().hasOnly(['owner'])", true],
    ['request.resource.data.keys() == resource.data.keys()', true],
    ["request.resource.id == 'rex' && request.resource.__name__ == request.path", true],
    ["request.method == 'update' && request.auth.uid == 'alice'", true],
    ['request.resource.data.n is int && request.resource.data.n == 1', true],
    ["request.auth.uid == 'bob'", false],
    ['request.auth == null', false],
    ['request.resource == null', false],
    ['resource == null', false],
  ])('sees the document before and after: %s', async (condition, isAllowed) => {
    const { mayCommit } = await openRuled(`match /pets/{id} { allow update: if ${condition}; }`);
    const update = {
      update: { name: databaseNames.toName('pets/rex'), fields: { owner: str('bob') } },
      updateMask: { fieldPaths: ['owner'] },
    };
    expect(await mayCommit(aliceCaller, update)).toBe(isAllowed);
  });

  it('leaves nothing of what it creates before, or of what it deletes after', async () => {
    const { mayCommit } = await openRuled(`match /pets/{id} {
      allow create: if resource == null && request.resource != null;
      allow delete: if resource.data.owner == request.auth.uid && request.resource == null; }`);
    expect(await mayCommit(aliceCaller, pet('pets/new'))).toBe(true);
    expect(await mayCommit(bobCaller, deleteWrite('pets/rex'))).toBe(false);
    expect(await mayCommit(aliceCaller, deleteWrite('pets/rex'))).toBe(true);
    expect(await mayCommit(aliceCaller, deleteWrite('pets/none'))).toBe(false);
  });

  it('has the time of its server timestamps as request.time', async () => {
    const { mayCommit } = await openRuled(
      'match /pets/{id} { allow write: if request.resource.data.at == request.time; }',
    );
    const at = (transform: object) => ({
      ...pet('pets/new'),
      updateTransforms: [{ fieldPath: 'at', ...transform }],
    });
    expect(await mayCommit(aliceCaller, at({ setToServerValue: 'REQUEST_TIME' }))).toBe(true);
    expect(await mayCommit(aliceCaller, at({ increment: { integerValue: '1' } }))).toBe(false);
  });

  it('sees the other writes of its commit by getAfter, and none of them by get', async () => {
    const log = '/databases/$(database)/documents/logs';
    const { mayCommit } = await openRuled(`
      match /logs/{id} { allow write; }
      match /pets/{id} { allow create: if !exists(${log}/$(id)) && existsAfter(${log}/$(id))
        && getAfter(${log}/1) == null && get(${log}/1) != null; }`);
    const gone = deleteWrite('logs/1');
    expect(await mayCommit(aliceCaller, pet('pets/a'), pet('logs/a'), gone)).toBe(true);
    expect(await mayCommit(aliceCaller, gone, pet('logs/c'), pet('pets/c'))).toBe(false);
    expect(await mayCommit(aliceCaller, pet('pets/b'))).toBe(false);
  });
});

describe('access calls', () => {
  const looking = (count: number, name: string) =>
    Array.from(
      { length: count },
      (_, at) => `!exists(/databases/$(database)/documents/none/$(${name} + '${at}'))`,
    ).join(' && ');
  const many = (count: number) => Array.from({ length: count }, (_, at) => pet(`pets/p${at}`));

  it.each([
    ['10 by one write', looking(10, "''"), 1, true],
    ['11 by one write', looking(11, "''"), 1, false],
    ['10 by each of two writes', looking(10, 'id'), 2, true],
    ['11 by each of two writes', looking(11, 'id'), 2, false],
    ['7 by each of three writes', looking(7, 'id'), 3, false],
    ['the same 10 by each of 100 writes', looking(10, "''"), 100, true],
  ])('%s', async (...[, condition, count, isAllowed]) => {
    const { mayCommit } = await openRuled(`match /pets/{id} { allow create: if ${condition}; }`);
    expect(await mayCommit(aliceCaller, ...many(count))).toBe(isAllowed);
  });

  it('of several reads of one request are counted together', async () => {
    const { database } = await openRuled(
      `match /pets/{id} { allow get: if ${looking(10, 'id')}; }`,
    );
    const read = (count: number) => () => {
      const documents = Array.from({ length: count }, (_, at) =>
        databaseNames.toName(`pets/${at}`),
      );
      const answer: unknown[] = [];
      const call = { database, caller: aliceCaller, parent: '', body: { documents } };
      const steps = restReads.get('batchGet')?.(call, (part) => answer.push(part));
      if (steps !== undefined) finish(steps);
      return answer;
    };
    expect(read(2)()).toHaveLength(2);
    expect(read(3)).toThrow('Missing or insufficient permissions.');
  });
});

describe('a get', () => {
  it.each([
    ['pets/rex', "resource.data.owner == 'alice'", true],
    ['pets/none', 'resource == null', true],
    ['pets/none', "resource.data.owner == 'alice'", false],
    ['pets/rex', 'request.path == /databases/(default)/documents/pets/rex', true],
    ['pets/rex', "database == '(default)'", true],
    ['pets/rex', 'request.time is timestamp && request.time.toMillis() > 0', true],
    ['pets/rex', "request.auth.token.email.matches('.*@b[.]c')", true],
    [
      'pets/rex',
      'request.auth.token.firebase.identities.email[0] == request.auth.token.email',
      true,
    ],
    ['pets/rex', 'request.auth.token.iat is int && request.auth.token.half is float', true],
  ])('of %s with %s: %s', async (path, condition, isAllowed) => {
    const { database } = await openRuled(`match /pets/{id} { allow get: if ${condition}; }`);
    const claims = {
      email: 'a@b.c',
      iat: 1,
      half: 0.5,
      firebase: { identities: { email: ['a@b.c'] } },
    };
    expect(database.mayGet({ ...aliceCaller, claims }, path)).toBe(isAllowed);
  });
});
