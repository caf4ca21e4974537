import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { openDatabase } from './rxdb/database.ts';
import { raiseStores } from './indexeddb/raise-stores.ts';
import { eraseDatabase } from './erase.ts';
import { databaseName } from './indexeddb/stores.ts';

async function databaseNames(): Promise<string[]> {
  return (await indexedDB.databases()).map(({ name }) => name ?? '');
}

it('erases all of one owner and nothing of another', async () => {
  for (const uid of ['Robin', 'robin']) {
    const database = await openDatabase({ uid, raise: raiseStores });
    await database.pets.count().exec();
    await database.close();
  }
  await eraseDatabase('Robin');
  const left = await databaseNames();
  expect(left.filter((name) => name.includes(databaseName('Robin')))).toEqual([]);
  expect(left.filter((name) => name.includes(databaseName('robin')))).not.toEqual([]);
});

it('gives owners whose ids differ in case alone different databases', () => {
  expect(databaseName('aB')).not.toBe(databaseName('Ab'));
  expect(databaseName('aB')).toMatch(/^[a-z][a-z0-9_-]*$/);
});
