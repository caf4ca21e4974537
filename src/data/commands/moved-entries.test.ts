import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { somethingWentWrong } from '../../../schemas/copy/form-copy.ts';
import { newDocument } from '../../../schemas/documents/document.ts';
import { derivedId } from '../../../store/derived-id.ts';
import { change, clean, setUpData } from '../../../tests/support/setups/data-setup.ts';

async function setUp() {
  const kit = await setUpData();
  const { commands, store } = kit;
  const petId = await commands.createPet({ name: 'Bramble' });
  const moss = await commands.createPet({ name: 'Moss' });
  const id = await commands.addNote({ petId, text: 'Ducks' });
  const entries = async () =>
    (await store.listAll('entries', { afterId: '', limit: 9 })).map(({ document }) => document);
  return { ...kit, petId, moss, id, entries };
}

describe('an entry', () => {
  it('that is not there is not moved', async () => {
    const { commands, moss } = await setUp();
    await expect(commands.moveEntry('nowhere', moss)).rejects.toMatchObject({
      code: 'not-found',
      message: 'Journal entry not found',
    });
  });

  it('is not moved to a dog that is not there', async () => {
    const { commands, id, petId, entries } = await setUp();
    await expect(commands.moveEntry(id, 'nowhere')).rejects.toMatchObject({
      code: 'not-found',
      message: 'This dog is not on this device',
    });
    expect(await entries()).toMatchObject([{ id, petId }]);
  });

  it('is not moved to a dog that is deleted at the same moment', async () => {
    const { commands, store, id, petId, moss, entries } = await setUp();
    const commit = store.commit.bind(store);
    vi.spyOn(store, 'commit').mockImplementationOnce(async (writes) => {
      await commands.deletePet(moss);
      return commit(writes);
    });
    const refused = { code: 'not-found', message: 'This dog was deleted' };
    await expect(commands.moveEntry(id, moss)).rejects.toMatchObject(refused);
    expect(await entries()).toMatchObject([{ id, petId }]);
  });

  it.each([
    ['that waits here to be sent is moved beside one that another device has moved', true],
    ['that the server has is moved only once, also if another device has moved it', false],
  ])('%s', async (_, isUnsent) => {
    const { commands, store, id, moss, entries } = await setUp();
    await change(store, { collection: 'entries', id }, clean(3));
    if (isUnsent) await commands.editText(id, 'Ducks, and she limps');
    // Another device has moved and changed the entry that it knew; the page of the pull ended between the two.
    const identity = { collection: 'entries', id: await derivedId(id), ownerId: 'owner' } as const;
    const fields = { createdDate: 5, type: 'note', text: isUnsent ? 'Ducks' : 'Two ducks' };
    const there = clean(8)(newDocument({ ...identity, petId: moss }, fields, 5));
    await store.commit({ swaps: [{ from: null, to: there }] });
    await commands.moveEntry(id, moss);
    const left = (await entries()).filter(({ deleted }) => !deleted);
    expect(left.map(({ petId }) => petId)).toEqual(isUnsent ? [moss, moss] : [moss]);
    const texts = async () =>
      (await entries()).flatMap(({ deleted, fields: { text } }) => (deleted ? [] : [text]));
    const wanted = isUnsent ? ['Ducks', 'Ducks, and she limps'] : ['Two ducks'];
    expect(new Set(await texts())).toEqual(new Set(wanted));
    const undo = await commands.deleteEntry(there.id);
    await undo();
    expect(new Set(await texts())).toEqual(new Set(wanted));
    expect(await texts()).toHaveLength(wanted.length);
  });

  it('O8.1 that the server has lost is moved without its file, and a job supplies that', async () => {
    const { commands, store, id, petId, moss, entries } = await setUp();
    const fileLocation = `pets/${petId}/audios/voice-note-5.webm`;
    await change(store, { collection: 'entries', id }, (entry) => ({
      ...entry,
      fields: { ...entry.fields, fileLocation },
      edits: { ...entry.edits, fileLocation: 5 },
    }));
    await commands.moveEntry(id, moss);
    const [moved] = await entries();
    expect(moved).toMatchObject({ id, petId: moss, pending: 1, fields: { text: 'Ducks' } });
    expect(Object.keys({ ...moved?.fields, ...moved?.edits })).not.toContain('fileLocation');
    expect(await store.readRecord(`place-file:${id}`)).toMatchObject({
      documentId: id,
      sourceId: id,
      objectName: fileLocation,
    });
  });

  it('that was deleted, also on the server, is not moved', async () => {
    const { commands, store, id, moss, entries } = await setUp();
    await change(store, { collection: 'entries', id }, clean(3));
    await commands.deleteEntry(id);
    await commands.moveEntry(id, moss);
    expect(await entries()).toMatchObject([{ id, deleted: true }]);
  });
});

it('a command whose code cannot be loaded does not blame the device, and is loaded by the next try', async () => {
  const { commands, id, moss, entries } = await setUp();
  onTestFinished(() => vi.doUnmock('./rx-repairs.ts'));
  vi.doMock('./rx-repairs.ts', () => {
    throw new Error('no connection');
  });
  await expect(commands.moveEntry(id, moss)).rejects.toMatchObject({
    code: 'storage',
    message: somethingWentWrong,
  });
  vi.doUnmock('./rx-repairs.ts');
  await commands.moveEntry(id, moss);
  expect(await entries()).toMatchObject([{ id, petId: moss }]);
});
