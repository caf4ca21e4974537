import { expect, it } from 'vitest';
import type { Entry } from '../../../schemas/documents/document.ts';
import { setUpData } from '../../../tests/support/setups/data-setup.ts';
import { readJournal } from './rx-journals.ts';

it('counts and reads one journal whole, over several pages, and no other', async () => {
  const { commands, queries, store, database } = await setUpData();
  const petId = await commands.createPet({ name: 'Bramble' });
  const other = await commands.createPet({ name: 'Moss' });
  await commands.addNote({ petId: other, text: 'not this' });
  const rowOf = (index: number) => ({ petId, text: `note ${index}`, createdDate: index + 1 });
  const ids: string[] = [];
  for (let index = 0; index < 3; index += 1) ids.push(await commands.addNote(rowOf(index)));
  const one = (await database.journal_entries.findOne(ids[0]).exec())?.toMutableJSON();
  if (one === undefined) throw new Error('not stored');
  await database.journal_entries.bulkInsert(
    Array.from({ length: 1_100 }, (_, index) => {
      const id = `voice${String(index).padStart(6, '0')}`;
      const fields = { ...one.fields, type: 'voice-note' };
      return { ...one, id, fields, feedKey: `9${one.feedKey.slice(1, 17)}${id}` };
    }),
  );
  await commands.deleteEntry(ids[2] ?? '');
  expect(await queries.journalSize(petId)).toEqual({ notes: 2, voiceNotes: 1_100 });
  const rows: Entry[] = [];
  for await (const page of readJournal(database, petId)) rows.push(...page);
  expect(rows).toHaveLength(1_102);
  expect(rows.slice(0, 2).map(({ fields: { text } }) => text)).toEqual(['note 1', 'note 0']);
  expect((await store.get('entries', ids)).size).toBe(3);
});

it('finds where a deleted entry was restored to, step by step', async () => {
  const { commands, queries } = await setUpData();
  const petId = await commands.createPet({ name: 'Bramble' });
  const first = await commands.addNote({ petId, text: 'Ducks' });
  const undo = await commands.deleteEntry(first);
  expect(await queries.nextPlace(first)).toBeNull();
  const second = await undo();
  expect(await queries.nextPlace(first)).toEqual({ petId, noteId: second });
  const third = await (await commands.deleteEntry(second))();
  expect(await queries.nextPlace(first)).toEqual({ petId, noteId: second });
  expect(await queries.nextPlace(second)).toEqual({ petId, noteId: third });
  expect(await queries.nextPlace(third)).toBeNull();
});

it('has nothing to count of a dog that is not there', async () => {
  const { queries } = await setUpData();
  expect(await queries.journalSize('nobody')).toEqual({ notes: 0, voiceNotes: 0 });
});
