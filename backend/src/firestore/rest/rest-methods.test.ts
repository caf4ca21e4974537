import { expect, it } from 'vitest';
import { setWrite, writes } from '../../../tests/support/firestore-json.ts';
import {
  aliceCaller,
  databaseNames,
  openTestDatabase,
} from '../../../tests/support/test-database.ts';
import { finish } from '../../limits/slices.ts';
import { restReads } from './rest-methods.ts';

it('answers a name once that a batch of reads has twice', async () => {
  const { database } = await openTestDatabase();
  await database.commit(aliceCaller, writes(setWrite('c/a', {})));
  const documents = ['c/a', 'c/z', 'c/a', 'c/z', 'c/b'].map(databaseNames.toName);
  const answer: unknown[] = [];
  const call = { database, caller: aliceCaller, parent: '', body: { documents } };
  const steps = restReads.get('batchGet')?.(call, (part) => answer.push(part));
  if (steps !== undefined) finish(steps);
  expect(answer).toMatchObject([
    { found: { name: documents[0] } },
    { missing: documents[1] },
    { missing: documents[4] },
  ]);
  expect(answer).toHaveLength(3);
});
