import { expect, it } from 'vitest';
import { createMemoryChannels } from '../../tests/support/fakes/memory-channels.ts';
import { openChanges, type Bulk } from './changes.ts';

function bulkOf(id: string, { height = 1, operation = 'INSERT' } = {}): Bulk {
  const documentData = { id, _deleted: false, _rev: `${height}-a` };
  const event = { documentId: id, operation, documentData, previousDocumentData: null };
  // The parts of a bulk that distinguish it from another.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return {
    id: `bulk-${id}${height > 1 ? `-${height}` : ''}`,
    events: [event],
    checkpoint: null,
    context: 'test',
  } as unknown as Bulk;
}

function watch(changes: ReturnType<typeof openChanges>, store: string, heard: string[]): void {
  changes.of(store).subscribe(({ id }) => heard.push(`${store} ${id}`));
}

it('tells this tab at once and the others by one message, each store of its own', async () => {
  const channels = createMemoryChannels();
  const posted: unknown[] = [];
  const third = channels('pawpals-changes:a');
  third.listen((message) => posted.push(message));
  const [here, there] = [openChanges('a', channels), openChanges('a', channels)];
  const [heardHere, heardThere]: [string[], string[]] = [[], []];
  for (const store of ['pets', 'entries']) {
    watch(here, store, heardHere);
    watch(there, store, heardThere);
  }
  here.publish([
    ['pets', bulkOf('p1')],
    ['entries', bulkOf('e1')],
  ]);
  expect(heardHere).toEqual(['pets bulk-p1', 'entries bulk-e1']);
  expect(heardThere).toEqual([]);
  await Promise.resolve();
  expect(heardThere).toEqual(heardHere);
  expect(posted).toHaveLength(1);
});

it('tells nobody of another database, and nobody who has closed it', async () => {
  const channels = createMemoryChannels();
  const [here, other, closed] = ['a', 'b', 'a'].map((name) => openChanges(name, channels));
  const heard: string[] = [];
  for (const changes of [other, closed]) if (changes) watch(changes, 'pets', heard);
  closed?.close();
  here?.publish([['pets', bulkOf('p1')]]);
  await Promise.resolve();
  expect(heard).toEqual([]);
});

it('does not go back to its own write once another tab has changed the row further', async () => {
  const channels = createMemoryChannels();
  const [here, there] = [openChanges('a', channels), openChanges('a', channels)];
  const heard: string[] = [];
  watch(here, 'pets', heard);
  there.publish([['pets', bulkOf('p1', { height: 3, operation: 'UPDATE' })]]);
  await Promise.resolve();
  here.publish([['pets', bulkOf('p1', { height: 2, operation: 'UPDATE' })]]);
  expect(heard).toEqual(['pets bulk-p1-3']);
});
