import { writeRecord } from '../../../store/change-documents.ts';
import { describe, expect, it, vi } from 'vitest';
import { emptyCheckpoint } from '../../../schemas/local/local-record.ts';
import { fakeData } from '../../../tests/support/fakes/fake-data.ts';
import { petVersion, pictureJob, voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import {
  change,
  clean,
  expectLive,
  nowMs,
  setUpData,
} from '../../../tests/support/setups/data-setup.ts';
import { readUnsent } from '../unsent-work.ts';

describe('pets', () => {
  it('are listed by name, ignoring case, numbers by value, without those that have no name or are deleted', async () => {
    const { commands, queries, store } = await setUpData();
    for (const name of ['moss', 'Bramble', 'Ash 10', 'Ash 9']) await commands.createPet({ name });
    const gone = await commands.createPet({ name: 'Gone' });
    const nameless = await commands.createPet({ name: 'x' });
    await change(store, { collection: 'pets', id: nameless }, (pet) => ({ ...pet, fields: {} }));
    await commands.deletePet(gone);
    await expectLive(queries.pets(), (pets) => {
      expect(pets.map(({ fields: { name } }) => name)).toEqual([
        'Ash 9',
        'Ash 10',
        'Bramble',
        'moss',
      ]);
    });
  });

  it('are stored with a trimmed name, waiting for the server', async () => {
    const { commands, store, onWritten } = await setUpData();
    const id = await commands.createPet({ name: '  Bramble ' });
    const stored = (await store.get('pets', [id])).get(id);
    expect(stored?.document).toMatchObject({
      ownerId: 'owner',
      fields: { name: 'Bramble' },
      edits: { name: nowMs },
      pending: 1,
      seq: null,
    });
    expect(onWritten).toHaveBeenCalled();
  });

  it.each([
    ['', 'Pet name is required'],
    ['   ', 'Pet name is required'],
    ['x'.repeat(10_000), 'A name can have at most 100 characters'],
  ])('refuse a bad name with a sentence', async (name, sentence) => {
    const { commands, database } = await setUpData();
    await expect(commands.createPet({ name })).rejects.toMatchObject({
      code: 'invalid',
      message: sentence,
    });
    expect(await database.pets.count().exec()).toBe(0);
  });

  it('disappear at once when they are deleted, and take their journal with them', async () => {
    const { commands, queries, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const noteId = await commands.addNote({ petId, text: 'Ducks' });
    await expectLive(queries.isPetDeleted(petId), (isDeleted) => expect(isDeleted).toBe(false));
    await commands.deletePet(petId);
    await expectLive(queries.pet(petId), (pet) => expect(pet).toBeNull());
    await expectLive(queries.isPetDeleted(petId), (isDeleted) => expect(isDeleted).toBe(true));
    await expectLive(queries.entry(petId, noteId), (entry) => expect(entry).toBeNull());
    expect((await store.listRecords('delete-pet')).size).toBe(0);
  });

  it('are hidden while their deletion is under way', async () => {
    const { commands, queries, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    await writeRecord(store, `delete-pet:${petId}`, { kind: 'delete-pet', petId });
    await expectLive(queries.pet(petId), (pet) => expect(pet).toBeNull());
    await expectLive(queries.isPetDeleted(petId), (isDeleted) => expect(isDeleted).toBe(true));
    await expectLive(queries.pets(), (pets) => expect(pets).toEqual([]));
  });
});

describe('notes', () => {
  it('are kept in the order they were written, also within one millisecond', async () => {
    const { commands, queries } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const texts = Array.from({ length: 12 }, (_, index) => `note ${index}`);
    for (const text of texts) await commands.addNote({ petId, text });
    await expectLive(queries.feed(petId, { after: null, until: null }, 50), (entries) => {
      expect(entries.map(({ fields: { text } }) => text)).toEqual(texts.toReversed());
    });
  });

  it('are read in stretches bounded by their keys', async () => {
    const { commands, queries } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    for (let index = 0; index < 9; index += 1) {
      await commands.addNote({ petId, text: `note ${index}` });
    }
    const all = queries.feed(petId, { after: null, until: null }, 50);
    await expectLive(all, (entries) => expect(entries).toHaveLength(9));
    const keys = (all.getSnapshot() ?? []).map(({ feedKey }) => feedKey);
    const [newest, middle] = [keys[2] ?? '', keys[5] ?? ''];
    await expectLive(queries.feed(petId, { after: newest, until: middle }, 50), (entries) => {
      expect(entries.map(({ feedKey }) => feedKey)).toEqual(keys.slice(3, 6));
    });
    await expectLive(queries.feed(petId, { after: middle, until: null }, 2), (entries) => {
      expect(entries.map(({ feedKey }) => feedKey)).toEqual(keys.slice(6, 8));
    });
  });

  it('are not mixed with those of another dog', async () => {
    const { commands, queries } = await setUpData();
    const [bramble, moss] = [
      await commands.createPet({ name: 'Bramble' }),
      await commands.createPet({ name: 'Moss' }),
    ];
    const noteId = await commands.addNote({ petId: bramble, text: 'Ducks' });
    await expectLive(queries.feed(moss, { after: null, until: null }, 50), (entries) => {
      expect(entries).toEqual([]);
    });
    await expectLive(queries.entry(moss, noteId), (entry) => expect(entry).toBeNull());
  });

  it.each([
    [' \n ', 'invalid'],
    ['x'.repeat(10_001), 'invalid'],
  ])('refuse a bad text', async (text, code) => {
    const { commands, database } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    await expect(commands.addNote({ petId, text })).rejects.toMatchObject({ code });
    expect(await database.journal_entries.count().exec()).toBe(0);
  });

  it('are refused for a dog that is not there', async () => {
    const { commands } = await setUpData();
    await expect(commands.addNote({ petId: 'nobody', text: 'Ducks' })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('leave a waiting tombstone when deleted', async () => {
    const { commands, queries, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const noteId = await commands.addNote({ petId, text: 'Ducks' });
    await commands.deleteEntry(noteId);
    await expectLive(queries.entry(petId, noteId), (entry) => expect(entry).toBeNull());
    const stored = (await store.get('entries', [noteId])).get(noteId)?.document;
    expect(stored).toEqual(
      expect.objectContaining({ deleted: true, fields: {}, pending: 1, ownerId: 'owner' }),
    );
  });

  it('are added once, however often they are added under one id', async () => {
    const { commands, queries, database } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const note = { id: 'abcdefghij0123456789', petId, text: 'Ducks', createdDate: 5 };
    expect(await Promise.all([commands.addNote(note), commands.addNote(note)])).toEqual([
      note.id,
      note.id,
    ]);
    expect(await commands.addNote(note)).toBe(note.id);
    expect(await database.journal_entries.count().exec()).toBe(1);
    await expectLive(queries.entry(petId, note.id), (entry) => {
      expect(entry?.fields).toMatchObject({ text: 'Ducks', createdDate: 5 });
    });
  });

  it('are not added again after they were deleted, with their dog or alone', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const note = { id: 'abcdefghij0123456789', petId, text: 'Ducks' };
    await commands.addNote(note);
    await commands.deletePet(petId);
    expect(await commands.addNote(note)).toBe(note.id);
    const stored = (await store.get('entries', [note.id])).get(note.id)?.document;
    expect(stored).toMatchObject({ deleted: true });
  });

  it('say that storage failed, and that nothing was saved', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const full = vi.spyOn(store, 'commit');
    full.mockRejectedValueOnce(new DOMException('', 'QuotaExceededError'));
    await expect(commands.addNote({ petId, text: 'Ducks' })).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('not saved'),
    });
  });
});

describe('the sync overview', () => {
  it('counts unsent documents and lists parked ones', async () => {
    const { commands, queries, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const noteId = await commands.addNote({ petId, text: 'Ducks' });
    const code = 'refused:permission-denied';
    await change(store, { collection: 'entries', id: noteId }, (entry) => ({
      ...entry,
      pending: 2,
      code,
    }));
    await expectLive(queries.syncOverview(), (overview) => {
      expect(overview).toMatchObject({ waitingCount: 1, fetchedOnce: false, syncedAtMs: null });
      expect(overview.waitingPets.map(({ id }) => id)).toEqual([petId]);
      expect(overview.parkedEntries.map((entry) => entry.code)).toEqual([code]);
    });
  });

  it('counts all that is parked, and dogs that are being deleted', async () => {
    const { commands, queries, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    for (let index = 0; index < 52; index += 1) {
      const id = await commands.addNote({ petId, text: `note ${index}` });
      await change(store, { collection: 'entries', id }, (entry) => ({ ...entry, pending: 2 }));
    }
    await writeRecord(store, 'delete-pet:other', { kind: 'delete-pet', petId: 'other' });
    await expectLive(queries.syncOverview(), (overview) => {
      expect(overview).toMatchObject({ waitingCount: 1, parkedCount: 52, leavingCount: 1 });
      expect(overview.parkedEntries).toHaveLength(50);
    });
  });

  it('counts the dogs apart, also more than it lists', async () => {
    const { commands, queries, store } = await setUpData();
    for (let index = 0; index < 51; index += 1) await commands.createPet({ name: `dog ${index}` });
    const id = await commands.createPet({ name: 'Bramble' });
    await commands.addNote({ petId: id, text: 'Ducks' });
    await change(store, { collection: 'pets', id }, (pet) => ({ ...pet, pending: 2 }));
    await expectLive(queries.syncOverview(), (overview) => {
      expect(overview).toMatchObject({ waitingCount: 52, parkedCount: 1, petCount: 52 });
      expect(overview.waitingPets).toHaveLength(50);
    });
  });

  it('does not count documents that were created and deleted before they were sent', async () => {
    const { commands, queries, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const never = await commands.addNote({ petId, text: 'never sent' });
    const sent = await commands.addNote({ petId, text: 'sent before' });
    await change(store, { collection: 'entries', id: sent }, clean(3));
    await commands.deleteEntry(never);
    await commands.deleteEntry(sent);
    await expectLive(queries.syncOverview(), (overview) => {
      expect(overview.waitingCount).toBe(2);
      expect(overview.waitingEntries.map(({ id }) => id)).toEqual([sent]);
    });
  });

  it('neither counts nor lists such documents if there are more than it lists', async () => {
    const { commands, queries } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    for (let index = 0; index < 60; index += 1) {
      await commands.deleteEntry(await commands.addNote({ petId, text: `note ${index}` }));
    }
    // Its id comes after all the others.
    await commands.addNote({ id: 'zz', petId, text: 'Ducks' });
    await expectLive(queries.syncOverview(), ({ waitingCount, waitingEntries }) => {
      expect(waitingCount).toBe(2);
      expect(waitingEntries.map(({ id }) => id)).toEqual(['zz']);
    });
  });

  it('does not list a dog that was created and deleted before it was sent', async () => {
    const { commands, queries, store } = await setUpData();
    const [never, sent] = [
      await commands.createPet({ name: 'Never sent' }),
      await commands.createPet({ name: 'Sent before' }),
    ];
    await change(store, { collection: 'pets', id: sent }, clean(3));
    await commands.deletePet(never);
    await commands.deletePet(sent);
    await expectLive(queries.syncOverview(), (overview) => {
      expect(overview.waitingPets.map(({ id }) => id)).toEqual([sent]);
      expect(overview.waitingCount).toBe(1);
    });
  });

  it('lists unsent entries by their time, newest first', async () => {
    const { commands, queries } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const created = [3, 1, 2];
    for (const createdDate of created) {
      const text = `note ${createdDate}`;
      await commands.addNote({ id: `e${createdDate}`, petId, text, createdDate });
    }
    await expectLive(queries.syncOverview(), ({ waitingEntries }) => {
      expect(waitingEntries.map(({ fields }) => fields.text)).toEqual([
        'note 3',
        'note 2',
        'note 1',
      ]);
    });
  });

  it('counts files that wait or are parked, once they are known', async () => {
    const { commands, queries, files } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    files.jobs.set([pictureJob(petId), pictureJob('other', { stage: 'failed' })]);
    await expectLive(queries.syncOverview(), (overview) => {
      expect(overview).toMatchObject({ waitingCount: 2, parkedCount: 1 });
      expect(overview.files).toHaveLength(2);
    });
  });

  it('counts a voice note and its file once', async () => {
    const { commands, queries, files } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const id = await commands.addNote({ petId, text: 'Ducks' });
    files.jobs.set([voiceJob(id), voiceJob('other')]);
    await expectLive(queries.syncOverview(), (overview) => {
      expect(overview).toMatchObject({ waitingCount: 3, parkedCount: 0 });
      expect(overview.files).toHaveLength(2);
    });
    const data = { uid: 'owner', queries, files: fakeData().files };
    expect(await readUnsent(data)).toBe('2 recordings and 1 change to a dog');
  });

  it('counts a picture that was restored, before the outbox has it', async () => {
    const { commands, queries, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    await change(store, { collection: 'pets', id: petId }, clean(1));
    const fields = { profilePicturePath: `pets/${petId}/images/profile.jpg` };
    await writeRecord(store, 'version1', petVersion({ documentId: petId, fields }));
    await commands.restoreConflictVersion('version1');
    await expectLive(queries.syncOverview(), (overview) => {
      expect(overview).toMatchObject({ waitingCount: 1, placingCount: 1, versions: [], files: [] });
    });
  });

  it('returns the progress of the first fetch', async () => {
    const { queries, store } = await setUpData();
    const seq = { pets: 9_000, entries: 2_500 };
    await writeRecord(store, 'checkpoint', { ...emptyCheckpoint, seq, firstPullUntil: 10_000 });
    await expectLive(queries.syncOverview(), ({ fetchedPart }) => expect(fetchedPart).toBe(0.25));
  });

  it('is marked as fetched once after one complete fetch', async () => {
    const { queries, store } = await setUpData();
    await writeRecord(store, 'checkpoint', { ...emptyCheckpoint, complete: true, syncedAtMs: 5 });
    await expectLive(queries.fetchedOnce(), (fetched) => expect(fetched).toBe(true));
    await expectLive(queries.syncOverview(), (overview) => {
      expect(overview).toMatchObject({ fetchedOnce: true, fetchedPart: null, syncedAtMs: 5 });
    });
  });
});
