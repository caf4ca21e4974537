import { expect, it } from 'vitest';
import { query, setWrite, str, where, writes } from '../../tests/support/firestore-json.ts';
import { ALICE, BOB, openTestDatabase } from '../../tests/support/test-database.ts';
import { compileRules } from '../rules/compile-rules.ts';
import { createFirestoreRules } from './firestore-rules.ts';

const RULES = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    function signedIn() { return request.auth != null; }
    match /pets/{petId} {
      function owns(data) { return data.ownerId == request.auth.uid; }
      allow get: if signedIn() && (resource == null || owns(resource.data));
      allow list: if owns(resource.data);
      allow create: if owns(request.resource.data) && request.resource.data.keys().hasOnly(['ownerId']);
    }
    match /{path=**}/journalEntries/{entry} {
      allow list: if resource.data.createdBy == request.auth.uid;
    }
  }
}`;

it('first', async () => {
  const ruleset = compileRules(RULES, { file: 'firestore.rules', service: 'cloud.firestore' });
  const { database } = await openTestDatabase({ policy: createFirestoreRules(() => ruleset) });
  await database.commit(ALICE, writes(setWrite('pets/rex', { ownerId: str('alice') })));
  expect(database.mayGet(ALICE, 'pets/rex')).toBe(true);
  expect(database.mayGet(BOB, 'pets/rex')).toBe(false);
  expect(database.mayGet(BOB, 'pets/none')).toBe(true);
  expect(database.mayGet(null, 'pets/none')).toBe(false);
  expect(database.mayList(ALICE, query('pets'))).toBe(false);
  expect(
    database.mayList(ALICE, query('pets', { where: where('ownerId', 'EQUAL', str('alice')) })),
  ).toBe(true);
  const group = { from: [{ collectionId: 'journalEntries', allDescendants: true }] };
  const own = where('createdBy', 'EQUAL', str('alice'));
  expect(database.mayList(ALICE, query('x', { ...group, where: own }))).toBe(true);
  expect(database.mayList(BOB, query('x', { ...group, where: own }))).toBe(false);
});
