import { writeRecord } from '../../../store/change-documents.ts';
import { describe, expect, it, vi } from 'vitest';
import { asDeleted, type LocalDocument } from '../../../schemas/documents/document.ts';
import type { ConflictVersion } from '../../../schemas/local/local-record.ts';
import { change, clean, expectLive, setUpData } from '../../../tests/support/setups/data-setup.ts';
import { failWrite } from '../../../tests/support/fakes/failing-writes.ts';

describe('a parked document', () => {
  async function parkedNote() {
    const kit = await setUpData();
    const petId = await kit.commands.createPet({ name: 'Bramble' });
    const noteId = await kit.commands.addNote({ petId, text: 'Ducks' });
    const park = (entry: LocalDocument): LocalDocument => ({
      ...entry,
      pending: 2,
      code: 'pet-deleted',
    });
    await change(kit.store, { collection: 'entries', id: noteId }, park);
    const read = async () => (await kit.store.get('entries', [noteId])).get(noteId)?.document;
    return { ...kit, petId, noteId, read };
  }

  it('waits again after Retry', async () => {
    const { commands, noteId, read } = await parkedNote();
    await commands.retry('entries', noteId);
    expect(await read()).toMatchObject({ pending: 1, code: null, fields: { text: 'Ducks' } });
  });

  it('is removed by Discard if the server never had it', async () => {
    const { commands, noteId, read } = await parkedNote();
    await commands.discard('entries', noteId);
    expect(await read()).toBeUndefined();
  });

  it("is reset to the server's version by Discard", async () => {
    const { commands, store, noteId, read } = await parkedNote();
    const base = { fields: { createdDate: 5, type: 'note', text: 'Geese' }, edits: {} };
    await change(store, { collection: 'entries', id: noteId }, (entry) => ({
      ...entry,
      seq: 3,
      base,
    }));
    await commands.discard('entries', noteId);
    expect(await read()).toMatchObject({ pending: 0, seq: 3, base: null, fields: base.fields });
    expect(await read()).toMatchObject({ code: null, deleted: false });
  });

  it('D8.8 stays with Discard if it was tried again and synced meanwhile', async () => {
    const { commands, database, noteId, read } = await parkedNote();
    const row = await database.journal_entries.findOne(noteId).exec();
    // Another tab retries after this one has read the note, and the server accepts it.
    const stale = Object.assign(database.journal_entries.findOne(noteId), {
      exec: async () => row,
    });
    vi.spyOn(database.journal_entries, 'findOne').mockReturnValueOnce(stale);
    await row?.incrementalModify((raw) => ({ ...raw, pending: 0, seq: 7, code: null }));
    await commands.discard('entries', noteId);
    expect(await read()).toMatchObject({ pending: 0, seq: 7, fields: { text: 'Ducks' } });
  });

  it('D8.8 of a newer schema is read-only after Discard, and pulled again', async () => {
    const { commands, store, noteId, read } = await parkedNote();
    const base = { fields: { createdDate: 5, type: 'note', text: 'Geese' }, edits: {} };
    await change(store, { collection: 'entries', id: noteId }, (entry) => ({
      ...entry,
      seq: 3,
      base,
      code: 'newer-schema',
    }));
    await commands.discard('entries', noteId);
    expect(await read()).toMatchObject({ pending: 0, code: 'newer-schema', fields: base.fields });
  });

  it('D8.8 of a newer schema that was forked from nothing is read whole again after Discard', async () => {
    const { commands, store, noteId, read } = await parkedNote();
    await change(store, { collection: 'entries', id: noteId }, (entry) => ({
      ...entry,
      code: 'newer-schema',
    }));
    await commands.discard('entries', noteId);
    expect(await read()).toBeUndefined();
    expect([...(await store.listRecords('pull-again')).values()]).toEqual([
      { kind: 'pull-again', collection: 'entries', seq: 0 },
    ]);
  });

  it('with a newer schema stays parked after Retry, because this client would overwrite unknown fields', async () => {
    const { commands, store } = await setUpData();
    const id = await commands.createPet({ name: 'Bramble' });
    const unread = { pending: 2, code: 'newer-schema' } as const;
    await change(store, { collection: 'pets', id }, (pet) => ({ ...clean(3)(pet), ...unread }));
    await commands.retry('pets', id);
    await commands.retryAll();
    expect((await store.get('pets', [id])).get(id)?.document).toMatchObject(unread);
  });

  it('D9.3 of a deletion over a newer schema waits again after Retry, and is compared first', async () => {
    const { commands, store, noteId, read } = await parkedNote();
    await change(store, { collection: 'entries', id: noteId }, (entry) => ({
      ...asDeleted({ ...entry, seq: 3 }),
      pending: 2,
      code: 'newer-schema',
    }));
    await commands.retryAll();
    expect(await read()).toMatchObject({ deleted: true, pending: 1, code: null });
    expect([...(await store.listRecords('pull-again')).values()]).toEqual([
      { kind: 'pull-again', collection: 'entries', seq: 3 },
    ]);
  });

  it('D9.3 over a newer schema is pulled again when it is deleted', async () => {
    const { commands, store, noteId, read } = await parkedNote();
    await change(store, { collection: 'entries', id: noteId }, (entry) => ({
      ...entry,
      seq: 3,
      code: 'newer-schema',
    }));
    await commands.deleteEntry(noteId);
    expect(await read()).toMatchObject({ deleted: true, pending: 1, code: null });
    expect([...(await store.listRecords('pull-again')).values()]).toEqual([
      { kind: 'pull-again', collection: 'entries', seq: 3 },
    ]);
  });

  it('that is gone or waits already stays as it is with Retry and Discard', async () => {
    const { commands, store, noteId, read } = await parkedNote();
    await commands.retry('entries', 'nowhere');
    await commands.discard('entries', 'nowhere');
    await commands.retry('entries', noteId);
    const waiting = await read();
    await commands.retry('entries', noteId);
    await commands.discard('entries', noteId);
    expect(await read()).toEqual(waiting);
    expect((await store.get('entries', ['nowhere'])).size).toBe(0);
  });

  it('O8.3 of a dog goes without the picture in another folder after Retry', async () => {
    const { commands, store, petId } = await parkedNote();
    const profilePicturePath = 'pets/other/images/profile.jpg';
    await change(store, { collection: 'pets', id: petId }, (pet) => ({
      ...pet,
      pending: 2,
      code: 'refused:permission-denied',
      fields: { ...pet.fields, profilePicturePath },
    }));
    await commands.retry('pets', petId);
    expect(await store.readRecord(`place-file:${petId}`)).toMatchObject({
      sourceId: 'other',
      objectName: profilePicturePath,
    });
    const pet = (await store.get('pets', [petId])).get(petId)?.document;
    expect(pet).toMatchObject({ pending: 1, code: null, fields: { name: 'Bramble' } });
    expect(pet?.fields).not.toHaveProperty('profilePicturePath');
  });

  it('D8.7 waits again with all others after Retry all', async () => {
    const { commands, store, petId, read } = await parkedNote();
    const park = (pet: LocalDocument): LocalDocument => ({ ...pet, pending: 2, code: 'refused:x' });
    await change(store, { collection: 'pets', id: petId }, park);
    await commands.retryAll();
    expect(await read()).toMatchObject({ pending: 1, code: null });
    const pet = (await store.get('pets', [petId])).get(petId)?.document;
    expect(pet).toMatchObject({ pending: 1, code: null });
  });

  it('O8.3 goes without the file of another dog after Retry, and a job brings that', async () => {
    const { commands, store, noteId, read } = await parkedNote();
    const fileLocation = 'pets/other/audios/voice-note-5.webm';
    await change(store, { collection: 'entries', id: noteId }, (entry) => ({
      ...entry,
      fields: { ...entry.fields, fileLocation },
      edits: { ...entry.edits, fileLocation: 5 },
    }));
    await commands.retry('entries', noteId);
    const retried = await read();
    expect(retried).toMatchObject({ pending: 1, fields: { text: 'Ducks' } });
    expect(Object.keys({ ...retried?.fields, ...retried?.edits })).not.toContain('fileLocation');
    expect(await store.readRecord(`place-file:${noteId}`)).toMatchObject({
      objectName: fileLocation,
      documentId: noteId,
      sourceId: noteId,
    });
  });

  it('moves to another dog in one step, keeping its time', async () => {
    const { commands, queries, noteId, read } = await parkedNote();
    const moss = await commands.createPet({ name: 'Moss' });
    const before = await read();
    await commands.moveEntry(noteId, moss);
    expect(await read()).toMatchObject({ petId: moss, pending: 1, fields: before?.fields });
    await expectLive(queries.feed(moss, { after: null, until: null }, 50), (entries) => {
      expect(entries.map(({ fields: { text } }) => text)).toEqual(['Ducks']);
    });
  });

  it('leaves a tombstone where the server has it, when it moves', async () => {
    const { commands, store, queries, noteId, read } = await parkedNote();
    const moss = await commands.createPet({ name: 'Moss' });
    await change(store, { collection: 'entries', id: noteId }, clean(3));
    await commands.moveEntry(noteId, moss);
    expect(await read()).toMatchObject({ deleted: true, pending: 1, seq: 3 });
    await expectLive(queries.feed(moss, { after: null, until: null }, 50), (entries) => {
      expect(entries.map(({ fields: { text } }) => text)).toEqual(['Ducks']);
    });
  });
});

it('a parked entry that the server has is moved once, also after a crash in between', async () => {
  const { commands, store, database } = await setUpData();
  const [bramble, moss] = [
    await commands.createPet({ name: 'Bramble' }),
    await commands.createPet({ name: 'Moss' }),
  ];
  const id = await commands.addNote({ petId: bramble, text: 'Ducks' });
  await change(store, { collection: 'entries', id }, clean(3));
  const before = (await store.get('entries', [id])).get(id)?.document;
  await commands.moveEntry(id, moss);
  // This simulates a page that closed before the old entry was deleted.
  await change(store, { collection: 'entries', id }, (gone) => before ?? gone);
  await Promise.all([commands.moveEntry(id, moss), commands.moveEntry(id, moss)]);
  const rows = await database.journal_entries.find({ selector: { deleted: false } }).exec();
  expect(rows.map(({ petId, fields: { text } }) => [petId, text])).toEqual([[moss, 'Ducks']]);
});

describe('a voice note that the server has, moved to another dog', () => {
  async function spokenNote() {
    const kit = await setUpData();
    const petId = await kit.commands.createPet({ name: 'Bramble' });
    const moss = await kit.commands.createPet({ name: 'Moss' });
    const id = await kit.commands.addNote({ petId, text: 'Ducks' });
    const fileLocation = `pets/${petId}/audios/voice-note-5.webm`;
    await change(kit.store, { collection: 'entries', id }, (entry) =>
      clean(3)({ ...entry, fields: { ...entry.fields, fileLocation } }),
    );
    return { ...kit, id, moss, fileLocation };
  }

  it('is there once, and its file is named, also if it could not be stored at first', async () => {
    const { id, moss, fileLocation, commands, database, store } = await spokenNote();
    failWrite(database, 0);
    await expect(commands.moveEntry(id, moss)).rejects.toThrow('could not be stored');
    await commands.moveEntry(id, moss);
    const rows = await database.journal_entries.find({ selector: { deleted: false } }).exec();
    expect(rows.map(({ petId, fields: { text } }) => [petId, text])).toEqual([[moss, 'Ducks']]);
    expect((await store.get('entries', [id])).get(id)?.document).toMatchObject({ deleted: true });
    const named = { objectName: fileLocation };
    expect([...(await store.listRecords('remove-file')).values()]).toMatchObject([
      { ...named, documentId: id },
    ]);
    expect([...(await store.listRecords('place-file')).values()]).toMatchObject([
      { ...named, documentId: rows[0]?.id, sourceId: id },
    ]);
  });
});

describe('a version that a merge did not choose', () => {
  const versionOf = (
    part: Pick<ConflictVersion, 'collection' | 'documentId' | 'petId' | 'reason'>,
  ): ConflictVersion => ({
    kind: 'conflict-version',
    ...part,
    fields: { text: 'Geese', createdDate: 5, type: 'note' },
    edits: { text: 10, createdDate: 10, type: 10 },
    side: 'local',
    keptAtMs: 20,
  });

  it('is restored as an edit made now', async () => {
    const { commands, store, queries } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const documentId = await commands.addNote({ petId, text: 'Ducks' });
    const lost = { collection: 'entries', documentId, petId, reason: 'other-edit' } as const;
    await writeRecord(store, 'version1', versionOf(lost));
    await commands.restoreConflictVersion('version1');
    await expectLive(queries.entry(petId, documentId), (entry) => {
      expect(entry).toMatchObject({ fields: { text: 'Geese' }, pending: 1 });
    });
    expect(await store.readRecord('version1')).toBeNull();
  });

  it('is offered where its document is shown, until it is restored or discarded', async () => {
    const { commands, store, queries } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const documentId = await commands.addNote({ petId, text: 'Ducks' });
    const lost = { collection: 'entries', documentId, petId, reason: 'other-edit' } as const;
    const expectIds = (ids: readonly string[]) =>
      expectLive(queries.idsWithOtherVersions(), (found) => expect([...found]).toEqual(ids));
    await expectIds([]);
    await writeRecord(store, 'version1', versionOf(lost));
    await writeRecord(store, 'version2', { ...versionOf(lost), side: 'server' });
    await expectIds([documentId]);
    await commands.discardConflictVersion('version1');
    await commands.restoreConflictVersion('version2');
    await expectIds([]);
  });

  it('is restored as a new entry if its entry was deleted', async () => {
    const { commands, store, queries } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const documentId = await commands.addNote({ petId, text: 'Ducks' });
    await commands.deleteEntry(documentId);
    const lost = { collection: 'entries', documentId, petId, reason: 'deleted' } as const;
    await writeRecord(store, 'version1', versionOf(lost));
    await commands.restoreConflictVersion('version1');
    await expectLive(queries.feed(petId, { after: null, until: null }, 50), (entries) => {
      expect(entries.map(({ fields: { text } }) => text)).toEqual(['Geese']);
      expect(entries[0]?.id).not.toBe(documentId);
    });
  });

  it('is restored once, also after a crash before it was removed', async () => {
    const { commands, store, database } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const lost = { collection: 'entries', documentId: 'gone', petId, reason: 'deleted' } as const;
    for (let round = 0; round < 2; round += 1) {
      await writeRecord(store, 'version1', versionOf(lost));
      await commands.restoreConflictVersion('version1');
    }
    expect(await database.journal_entries.count().exec()).toBe(1);
  });

  it('is restored to another dog if its own is deleted, even if it holds only a text', async () => {
    const { commands, store, queries } = await setUpData();
    const moss = await commands.createPet({ name: 'Moss' });
    const lost = { collection: 'entries', documentId: 'e', petId: 'p', reason: 'deleted' } as const;
    await writeRecord(store, 'version1', { ...versionOf(lost), fields: { text: 'Geese' } });
    await expect(commands.restoreConflictVersion('version1')).rejects.toMatchObject({
      code: 'not-found',
    });
    await commands.restoreConflictVersion('version1', moss);
    await expectLive(queries.feed(moss, { after: null, until: null }, 50), (entries) => {
      const fields = { text: 'Geese', type: 'note', createdDate: 20 };
      expect(entries).toMatchObject([{ fields }]);
    });
    expect(await store.readRecord('version1')).toBeNull();
  });

  it('O8.1 of a dog’s picture is sent again, and names no file until then', async () => {
    const { commands, store, queries } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const objectName = `pets/${petId}/images/profile.jpg`;
    const fields = { profilePicturePath: objectName, profilePictureVersion: 'before' };
    const edits = { profilePicturePath: 5, profilePictureVersion: 5 };
    const lost = { collection: 'pets', documentId: petId, petId: null } as const;
    const version = { ...versionOf({ ...lost, reason: 'other-edit' }), fields, edits };
    await writeRecord(store, 'version1', version);
    await commands.restoreConflictVersion('version1');
    await expectLive(queries.pet(petId), (pet) => {
      expect(pet?.fields.name).toBe('Bramble');
      expect(pet?.fields.profilePicturePath).toBeUndefined();
    });
    expect(await store.readRecord(`place-file:${petId}`)).toMatchObject({
      objectName,
      version: 'before',
      sourceId: petId,
    });
    expect(await store.readRecord('version1')).toBeNull();
  });

  it('is kept when it cannot be restored', async () => {
    const { commands, store } = await setUpData();
    const lost = { collection: 'entries', documentId: 'e', petId: 'p', reason: 'deleted' } as const;
    await writeRecord(store, 'version1', versionOf(lost));
    await expect(commands.restoreConflictVersion('version1')).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(await store.readRecord('version1')).not.toBeNull();
  });

  it('O6.5 of a deleted voice note brings its recording along', async () => {
    const { commands, store, database } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const lost = { collection: 'entries', documentId: 'gone', petId, reason: 'deleted' } as const;
    await writeRecord(store, 'version1', versionOf(lost));
    await commands.restoreConflictVersion('version1');
    const [entry] = await database.journal_entries.find().exec();
    expect([...(await store.listRecords('place-file')).values()]).toMatchObject([
      { sourceId: 'gone', documentId: entry?.id },
    ]);
  });

  it('names its file for removal when it is discarded', async () => {
    const { commands, store } = await setUpData();
    const lost = { collection: 'entries', documentId: 'e', petId: 'p', reason: 'deleted' } as const;
    const fileLocation = 'pets/p/audios/voice-note-1.webm';
    await writeRecord(store, 'version1', { ...versionOf(lost), fields: { fileLocation } });
    await commands.discardConflictVersion('version1');
    expect([...(await store.listRecords('remove-file')).values()]).toMatchObject([
      { documentId: 'e', objectName: fileLocation },
    ]);
  });

  it('is removed when the owner discards it', async () => {
    const { commands, store } = await setUpData();
    const lost = { collection: 'pets', documentId: 'p', petId: null, reason: 'deleted' } as const;
    await writeRecord(store, 'version1', versionOf(lost));
    await commands.discardConflictVersion('version1');
    expect(await store.readRecord('version1')).toBeNull();
  });
});
