import { expect, it } from 'vitest';
import { asDeleted, withEdit } from '../../../schemas/documents/document.ts';
import { clean, newEntry, onServer } from '../../../tests/support/fixtures/sync-documents.ts';
import { mergeRemote } from './merge.ts';

it('each version of an entry names the dog that the server has, to which it can be restored', () => {
  const entry = newEntry({ id: 'e1', petId: 'gone' });
  const local = withEdit(entry, { text: 'mine' }, 9_000);
  const theirs = clean(withEdit({ ...entry, petId: 'back' }, { text: 'theirs' }, 4_000), 3);
  const merges = [
    mergeRemote(local, onServer(theirs, 5), 99),
    mergeRemote(asDeleted(local), onServer(theirs, 5), 99),
    mergeRemote(local, onServer(asDeleted(theirs), 5), 99),
  ];
  const dogs = merges.map(({ versions }) => versions.map(({ petId }) => petId));
  expect(dogs).toEqual([['back'], ['back'], ['back']]);
});
