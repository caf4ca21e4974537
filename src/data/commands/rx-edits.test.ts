import { describe, expect, it, vi } from 'vitest';
import { readFormerTexts } from '../../../schemas/documents/former-texts.ts';
import { noteTextMaxLength } from '../../../schemas/limits.ts';
import { deletedEntryFileKeptMs } from '../../../schemas/local/remove-file.ts';
import {
  change,
  clean,
  expectLive,
  nowMs,
  setUpData,
} from '../../../tests/support/setups/data-setup.ts';
import { failWrite } from '../../../tests/support/fakes/failing-writes.ts';

const today = new Date(nowMs).toISOString().slice(0, 10);

describe('a dog', () => {
  it('is deleted when its owner retries after a failure', async () => {
    const { commands, database, queries } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    failWrite(database, 0);
    await expect(commands.deletePet(petId)).rejects.toMatchObject({ code: 'storage' });
    await commands.deletePet(petId);
    await expectLive(queries.pets(), (pets) => expect(pets).toEqual([]));
  });

  it('is born today at the latest, by the clock that is shown', async () => {
    const { commands, store } = await setUpData({}, 'owner', nowMs - 86_400_000);
    const petId = await commands.createPet({ name: 'Bramble' });
    await commands.updatePet(petId, { dob: today });
    const stored = (await store.get('pets', [petId])).get(petId)?.document;
    expect(stored?.fields['dob']).toBe(today);
  });

  it('is changed field by field, each with its stamp', async () => {
    const { commands, store, onWritten } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    await change(store, { collection: 'pets', id: petId }, clean(7));
    onWritten.mockClear();
    await commands.updatePet(petId, { breed: 'Vizsla', dob: '2020-02-29' });
    const stored = (await store.get('pets', [petId])).get(petId)?.document;
    expect(stored).toMatchObject({
      fields: { name: 'Bramble', breed: 'Vizsla', dob: '2020-02-29' },
      pending: 1,
      base: { fields: { name: 'Bramble' } },
    });
    expect(stored?.edits['name']).toBe(nowMs);
    expect(stored?.edits['breed']).toBeGreaterThan(nowMs);
    expect(onWritten).toHaveBeenCalledTimes(1);
  });

  it('is cleared with null, and with a description of nothing', async () => {
    const { commands, queries } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    await commands.updatePet(petId, { breed: 'Vizsla', description: 'Likes water' });
    await commands.updatePet(petId, { breed: null, description: '  ' });
    await expectLive(queries.pet(petId), (pet) => {
      expect(pet?.fields.name).toBe('Bramble');
      expect(pet?.fields.breed).toBeUndefined();
      expect(pet?.fields.description).toBeUndefined();
    });
  });

  it.each([
    [{ name: ' ' }, 'Pet name is required'],
    [{ breed: '' }, 'Breed is required'],
    [{ dob: '2999-01-01' }, 'Date of birth cannot be in the future'],
    [{ dob: '0001-01-01' }, 'Date of birth cannot be before the year 1900'],
    [{ description: 'x'.repeat(2_001) }, 'A description can have at most 2,000 characters'],
  ])('is never %j', async (changes, message) => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    await expect(commands.updatePet(petId, changes)).rejects.toMatchObject({
      code: 'invalid',
      message,
    });
    expect((await store.get('pets', [petId])).get(petId)?.document.rev).toBe(1);
  });

  it('can be that it was born today', async () => {
    const { commands } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    await expect(commands.updatePet(petId, { dob: today })).resolves.toBeUndefined();
  });

  it('is not changed once it was deleted', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    await commands.deletePet(petId);
    await expect(commands.updatePet(petId, { breed: 'Vizsla' })).rejects.toMatchObject({
      code: 'not-found',
    });
    const stored = (await store.get('pets', [petId])).get(petId)?.document;
    expect(stored).toEqual(expect.objectContaining({ deleted: true, fields: {} }));
  });
});

it('a dog or an entry that is not there is neither changed nor deleted', async () => {
  const { commands } = await setUpData();
  await expect(commands.updatePet('nowhere', { breed: 'Vizsla' })).rejects.toMatchObject({
    code: 'not-found',
    message: 'This dog is not on this device',
  });
  const noEntry = { code: 'not-found', message: 'Journal entry not found' };
  await expect(commands.editText('nowhere', 'Geese')).rejects.toMatchObject(noEntry);
  await expect(commands.deleteEntry('nowhere')).rejects.toMatchObject(noEntry);
});

it('texts are stored as text boxes write lines, and without what UTF-8 cannot express', async () => {
  const { commands, queries } = await setUpData();
  const petId = await commands.createPet({ name: 'Mo\ud83ds' });
  const id = await commands.addNote({ petId, text: '\r\none\r\ntwo\ud83d 🐕\udc15' });
  await commands.updatePet(petId, { description: 'likes\rwater\udc15' });
  await expectLive(queries.pet(petId), (pet) => {
    expect(pet?.fields).toMatchObject({ name: 'Mo\ufffds', description: 'likes\nwater\ufffd' });
  });
  await expectLive(queries.entry(petId, id), (entry) => {
    expect(entry?.fields.text).toBe('one\ntwo\ufffd 🐕\ufffd');
  });
  await commands.editText(id, 'three\r\nfour\ud83d');
  await expectLive(queries.entry(petId, id), (entry) => {
    expect(entry?.fields.text).toBe('three\nfour\ufffd');
  });
});

it('only a stored note or voice note is announced, because then there is data to protect', async () => {
  const { commands, onNoteKept, onWritten } = await setUpData();
  const petId = await commands.createPet({ name: 'Bramble' });
  onWritten.mockClear();
  await expect(commands.addNote({ petId: 'nowhere', text: 'Ducks' })).rejects.toThrow(
    'This dog is not on this device',
  );
  expect([onNoteKept.mock.calls.length, onWritten.mock.calls.length]).toEqual([0, 0]);
  await commands.addNote({ petId, text: 'Ducks' });
  expect([onNoteKept.mock.calls.length, onWritten.mock.calls.length]).toEqual([1, 1]);
});

describe('a deleted note', () => {
  it('is not deleted again, and the second deletion has nothing to undo', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const id = await commands.addNote({ petId, text: 'Ducks' });
    await commands.deleteEntry(id);
    const rows = () => store.listAll('entries', { afterId: '', limit: 9 });
    const before = await rows();
    await (
      await commands.deleteEntry(id)
    )();
    expect(await rows()).toEqual(before);
  });

  it('is restored whole under another id, once, also after the deletion was sent', async () => {
    const { commands, queries, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const noteId = await commands.addNote({ petId, text: 'Ducks', createdDate: 5 });
    const undo = await commands.deleteEntry(noteId);
    await change(store, { collection: 'entries', id: noteId }, clean(9));
    await undo();
    await undo();
    await expectLive(queries.feed(petId, { after: null, until: null }, 50), (entries) => {
      expect(entries).toHaveLength(1);
      const fields = { text: 'Ducks', createdDate: 5, type: 'note' };
      expect(entries[0]).toMatchObject({ fields, pending: 1 });
      expect(entries[0]?.id).not.toBe(noteId);
    });
    const stored = (await store.get('entries', [noteId])).get(noteId)?.document;
    expect(stored).toEqual(expect.objectContaining({ deleted: true, fields: {}, pending: 0 }));
  });

  it('is restored under a further id if another device has restored and deleted it again', async () => {
    const { commands, database, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const noteId = await commands.addNote({ petId, text: 'Ducks' });
    const undo = await commands.deleteEntry(noteId);
    const restored = await undo();
    await change(store, { collection: 'entries', id: restored }, clean(9));
    await commands.deleteEntry(restored);
    const id = await undo();
    expect((await database.journal_entries.findOne(id).exec())?.fields.text).toBe('Ducks');
  });

  it('names its file before it is gone, and not one that the server never had', async () => {
    const { commands, database, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const fileLocation = `pets/${petId}/audios/voice-note-1.webm`;
    const [sent, unsent] = [
      await commands.addNote({ petId, text: 'sent' }),
      await commands.addNote({ petId, text: 'unsent' }),
    ];
    for (const id of [sent, unsent]) {
      await change(store, { collection: 'entries', id }, (entry) => {
        const fields = { ...entry.fields, fileLocation };
        return id === sent ? clean(7)({ ...entry, fields }) : { ...entry, fields };
      });
      await commands.deleteEntry(id);
    }
    const jobs = await database.local.find({ selector: { kind: 'remove-file' } }).exec();
    const notBeforeMs = nowMs + deletedEntryFileKeptMs;
    expect(jobs.map((job) => job.toMutableJSON().data)).toEqual([
      {
        kind: 'remove-file',
        collection: 'entries',
        documentId: sent,
        objectName: fileLocation,
        notBeforeMs,
      },
    ]);
  });

  it('is not deleted if that cannot be stored, and is when its owner tries again', async () => {
    const { commands, database, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const id = await commands.addNote({ petId, text: 'Ducks' });
    const fileLocation = `pets/${petId}/audios/voice-note-1.webm`;
    await change(store, { collection: 'entries', id }, (entry) =>
      clean(7)({ ...entry, fields: { ...entry.fields, fileLocation } }),
    );
    failWrite(database, 0);
    await expect(commands.deleteEntry(id)).rejects.toMatchObject({ code: 'storage' });
    const stored = (await store.get('entries', [id])).get(id)?.document;
    expect(stored).toMatchObject({ deleted: false, fields: { text: 'Ducks', fileLocation } });
    expect((await store.listRecords('remove-file')).size).toBe(0);
    await commands.deleteEntry(id);
    expect((await store.get('entries', [id])).get(id)?.document.deleted).toBe(true);
  });

  it('comes back as an earlier client has stored it: without a date, and longer than a note of today', async () => {
    const { commands, queries, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const id = await commands.addNote({ petId, text: 'Ducks' });
    const text = 'x'.repeat(noteTextMaxLength + 1);
    await change(store, { collection: 'entries', id }, (entry) =>
      clean(7)({ ...entry, fields: { type: 'note', text } }),
    );
    const undo = await commands.deleteEntry(id);
    await undo();
    await expectLive(queries.feed(petId, { after: null, until: null }, 50), (entries) => {
      expect(entries.map(({ fields }) => fields)).toEqual([
        { type: 'note', text, createdDate: nowMs },
      ]);
    });
  });

  it('can be deleted and taken back again', async () => {
    const { commands, queries } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const feed = queries.feed(petId, { after: null, until: null }, 50);
    await (
      await commands.deleteEntry(await commands.addNote({ petId, text: 'Ducks' }))
    )();
    await expectLive(feed, (entries) => expect(entries).toHaveLength(1));
    const undo = await commands.deleteEntry(feed.getSnapshot()?.[0]?.id ?? '');
    await expectLive(feed, (entries) => expect(entries).toEqual([]));
    await undo();
    await expectLive(feed, (entries) => expect(entries).toHaveLength(1));
  });

  it('comes back by the commands of the session that is open by then', async () => {
    const before = await setUpData();
    const after = await setUpData();
    const petId = await before.commands.createPet({ name: 'Bramble' });
    const pet = (await before.store.get('pets', [petId])).get(petId)?.document;
    if (pet) await after.store.commit({ swaps: [{ from: null, to: pet }] });
    before.reopenAs(after.commands);
    const undo = await before.commands.deleteEntry(
      await before.commands.addNote({ petId, text: 'Ducks' }),
    );
    await before.database.close();
    await undo();
    await expectLive(after.queries.feed(petId, { after: null, until: null }, 50), (entries) => {
      expect(entries).toMatchObject([{ fields: { text: 'Ducks' } }]);
    });
  });

  it('does not come back to a dog that has gone meanwhile', async () => {
    const { commands } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const undo = await commands.deleteEntry(await commands.addNote({ petId, text: 'Ducks' }));
    await commands.deletePet(petId);
    await expect(undo()).rejects.toMatchObject({ code: 'not-found' });
  });
});

it('a dog that is deleted while it is changed stays deleted', async () => {
  const { commands, store } = await setUpData();
  const petId = await commands.createPet({ name: 'Bramble' });
  const commit = store.commit.bind(store);
  vi.spyOn(store, 'commit').mockImplementationOnce(async (writes) => {
    await commands.deletePet(petId);
    return commit(writes);
  });
  await expect(commands.updatePet(petId, { breed: 'Vizsla' })).rejects.toMatchObject({
    code: 'not-found',
  });
  const stored = (await store.get('pets', [petId])).get(petId)?.document;
  expect(stored).toEqual(expect.objectContaining({ deleted: true, fields: {} }));
});

describe('a request for the transcript of an entry', () => {
  it.each<[string, string, { transcript: string; text?: string; stamp?: number }]>([
    ['marks it as waiting if nothing was heard in it', 'waiting', { transcript: 'none' }],
    ['leaves a text with its mark', 'rough', { transcript: 'rough', text: 'Ducks' }],
    ['leaves what its owner cleared', 'edited', { transcript: 'edited' }],
    ['leaves an answer that came since', 'none', { transcript: 'none', stamp: 6 }],
  ])('%s', async (_, transcript, { stamp = 5, ...words }) => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const id = await commands.addNote({ petId, text: 'Ducks' });
    const fields = { createdDate: 5, type: 'voice-note', ...words };
    await change(store, { collection: 'entries', id }, (entry) => ({
      ...entry,
      fields,
      edits: { transcript: stamp },
    }));
    await commands.awaitTranscript(id, { transcript: 5 });
    const stored = (await store.get('entries', [id])).get(id)?.document;
    expect(stored?.fields).toEqual({ ...fields, transcript });
  });

  it('writes nothing to a tombstone', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const id = await commands.addNote({ petId, text: 'Ducks' });
    await commands.deleteEntry(id);
    const before = await store.get('entries', [id]);
    await commands.awaitTranscript(id, {});
    expect(await store.get('entries', [id])).toEqual(before);
  });
});

describe('the text of a note', () => {
  const textOf = async (data: Awaited<ReturnType<typeof setUpData>>, id: string) => {
    const stored = (await data.store.get('entries', [id])).get(id)?.document;
    const former = readFormerTexts(stored?.fields['formerTexts']).map(({ text }) => text);
    return { text: stored?.fields['text'], former, rev: stored?.rev };
  };

  it('is corrected, keeps its time, and the text before is kept', async () => {
    const data = await setUpData();
    const petId = await data.commands.createPet({ name: 'Bramble' });
    const id = await data.commands.addNote({ petId, text: 'Duks', createdDate: 5 });
    await data.commands.editText(id, '  Ducks ');
    expect(await textOf(data, id)).toEqual({ text: 'Ducks', former: ['Duks'], rev: 2 });
    await expectLive(data.queries.entry(petId, id), (entry) => {
      expect(entry?.fields).toMatchObject({ createdDate: 5, type: 'note' });
      expect(entry?.fields.transcript).toBeUndefined();
    });
    await data.commands.editText(id, 'Ducks');
    expect((await textOf(data, id)).rev).toBe(2);
  });

  it.each(['  ', 'x'.repeat(10_001)])('is never one that no form takes', async (text) => {
    const data = await setUpData();
    const petId = await data.commands.createPet({ name: 'Bramble' });
    const id = await data.commands.addNote({ petId, text: 'Ducks' });
    await expect(data.commands.editText(id, text)).rejects.toMatchObject({ code: 'invalid' });
    expect((await textOf(data, id)).text).toBe('Ducks');
  });

  it('is not corrected once it was deleted, and its writer is told', async () => {
    const data = await setUpData();
    const petId = await data.commands.createPet({ name: 'Bramble' });
    const id = await data.commands.addNote({ petId, text: 'Ducks' });
    await data.commands.deleteEntry(id);
    await expect(data.commands.editText(id, 'Geese')).rejects.toMatchObject({
      code: 'not-found',
      message: 'Journal entry not found',
    });
  });

  it('of a voice note is its owner’s once it was confirmed, even if nothing was changed', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const words = { text: 'went away', transcript: 'done' } as const;
    const sound = { id: 'e1', petId, contentType: 'audio/webm', durationMs: 1, createdDate: 5 };
    await commands.addVoiceNote({ ...sound, words }, async () => ({}));
    await commands.editText('e1', 'went away');
    const stored = (await store.get('entries', ['e1'])).get('e1')?.document;
    expect(stored?.fields).toMatchObject({ text: 'went away', transcript: 'edited' });
  });
});
