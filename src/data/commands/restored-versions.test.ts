import { describe, expect, it, vi } from 'vitest';
import { asDeleted } from '../../../schemas/documents/document.ts';
import type { ConflictVersion } from '../../../schemas/local/local-record.ts';
import { writeRecord } from '../../../store/change-documents.ts';
import { derivedId } from '../../../store/derived-id.ts';
import { change, setUpData } from '../../../tests/support/setups/data-setup.ts';

const versionOf = (
  part: Pick<ConflictVersion, 'collection' | 'documentId' | 'petId' | 'reason'>,
): ConflictVersion => ({
  kind: 'conflict-version',
  ...part,
  fields: {},
  edits: {},
  side: 'local',
  keptAtMs: 20,
});

describe('a version that a merge did not choose', () => {
  it('of a dog’s name alone is restored without its file being sent again', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    await commands.updatePet(petId, { breed: 'Vizsla' });
    const lost = { collection: 'pets', documentId: petId, petId: null } as const;
    // The version has cleared the breed.
    const edits = { name: 5, breed: 5 };
    const version = versionOf({ ...lost, reason: 'other-edit' });
    await writeRecord(store, 'version1', { ...version, fields: { name: 'Bram' }, edits });
    await commands.restoreConflictVersion('version1');
    const pet = (await store.get('pets', [petId])).get(petId)?.document;
    expect(pet?.fields).toEqual({ name: 'Bram' });
    expect((await store.listRecords('place-file')).size).toBe(0);
  });

  it('D5.13 of a dog is exchanged for the values that it replaces', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    await commands.updatePet(petId, { description: 'afraid of cows' });
    const lost = { collection: 'pets', documentId: petId, petId: null } as const;
    const fields = { name: 'Bramble', description: 'chases hares', breed: 'Vizsla' };
    const edits = { name: 5, description: 5, breed: 5 };
    const version = versionOf({ ...lost, reason: 'other-edit' });
    await writeRecord(store, 'version1', { ...version, fields, edits });
    const petFields = async () => (await store.get('pets', [petId])).get(petId)?.document.fields;
    await commands.restoreConflictVersion('version1');
    expect(await petFields()).toEqual(fields);
    const [[id, replaced] = ['', null], ...others] = await store.listRecords('conflict-version');
    expect(others).toEqual([]);
    expect(replaced).toMatchObject({ ...lost, reason: 'other-edit', side: 'server' });
    expect(replaced?.fields).toEqual({ description: 'afraid of cows' });
    await commands.restoreConflictVersion(id);
    expect(await petFields()).toMatchObject({ description: 'afraid of cows', breed: 'Vizsla' });
    const [back] = (await store.listRecords('conflict-version')).values();
    expect(back).toMatchObject({ side: 'local', fields: { description: 'chases hares' } });
  });

  it('of a deleted dog gets the entries that were parked for it', async () => {
    const { commands, database, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const other = await commands.createPet({ name: 'Moss' });
    const ids: string[] = [];
    for (const [dog, code] of [
      [petId, 'pet-deleted'],
      [petId, 'newer-schema'],
      [other, 'pet-deleted'],
    ] as const) {
      const id = await commands.addNote({ petId: dog, text: code });
      await change(store, { collection: 'entries', id }, (entry) => ({
        ...entry,
        pending: 2,
        code,
      }));
      ids.push(id);
    }
    await change(store, { collection: 'pets', id: petId }, asDeleted);
    const lost = { collection: 'pets', documentId: petId, petId: null } as const;
    const fields = { name: 'Bramble' };
    await writeRecord(store, 'v', { ...versionOf({ ...lost, reason: 'deleted' }), fields });
    await commands.restoreConflictVersion('v');
    const [back] = await database.pets.find({ selector: { 'fields.name': 'Bramble' } }).exec();
    const entries = await store.get('entries', ids);
    expect(ids.map((id) => entries.get(id)?.document)).toMatchObject([
      { petId: back?.id, pending: 1, code: null, fields: { text: 'pet-deleted' } },
      { petId, pending: 2 },
      { petId: other, pending: 2 },
    ]);
  });

  it.each([
    ['retried at the start of a session', 'restored'],
    ['moved by another tab', 'Moss'],
    ['discarded by another tab', 'none'],
  ])(
    'of a deleted dog gets the entries that wait for it, also when one is %s',
    async (done, dog) => {
      const { commands, store } = await setUpData();
      const petId = await commands.createPet({ name: 'Bramble' });
      const other = await commands.createPet({ name: 'Moss' });
      const parked = [
        await commands.addNote({ petId, text: 'one' }),
        await commands.addNote({ petId, text: 'two' }),
      ];
      for (const id of parked) {
        const state = { pending: 2, code: 'pet-deleted' } as const;
        await change(store, { collection: 'entries', id }, (entry) => ({ ...entry, ...state }));
      }
      await change(store, { collection: 'pets', id: petId }, asDeleted);
      const [first = '', second = ''] = parked.toSorted();
      const list = store.listPending.bind(store);
      if (dog === 'restored') await commands.retryAll();
      else {
        vi.spyOn(store, 'listPending').mockImplementation(async (...page) => {
          const found = await list(...page);
          if (dog === 'Moss') await commands.moveEntry(first, other);
          else await commands.discard('entries', first);
          return found;
        });
      }
      const lost = { collection: 'pets', documentId: petId, petId: null } as const;
      const fields = { name: 'Bramble' };
      await writeRecord(store, done, { ...versionOf({ ...lost, reason: 'deleted' }), fields });
      await commands.restoreConflictVersion(done);
      const entries = await store.get('entries', parked);
      const names = new Map([
        [undefined, 'none'],
        [petId, 'Bramble'],
        [other, 'Moss'],
      ]);
      const dogs = [first, second].map(
        (id) => names.get(entries.get(id)?.document.petId ?? undefined) ?? 'restored',
      );
      expect(dogs).toEqual([dog, 'restored']);
    },
  );

  it('D5.13 of a text leaves no version, since the entry keeps its former texts', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const documentId = await commands.addNote({ petId, text: 'Ducks' });
    const lost = { collection: 'entries', documentId, petId, reason: 'other-edit' } as const;
    const text = { fields: { text: 'Geese' }, edits: { text: 5 } };
    await writeRecord(store, 'version1', { ...versionOf(lost), ...text });
    await commands.restoreConflictVersion('version1');
    const entry = (await store.get('entries', [documentId])).get(documentId)?.document;
    expect(entry?.fields['formerTexts']).toContain('Ducks');
    expect((await store.listRecords('conflict-version')).size).toBe(0);
  });

  it('O7.1 of a picture counts as chosen after the one that is shown, whatever the clocks', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const [stored] = (await store.get('pets', [petId])).values();
    if (stored === undefined) throw new Error('not there');
    const stamp = Date.now() + 3_600_000;
    const stamps = { profilePicturePath: stamp, profilePictureVersion: stamp };
    const path = `pets/${petId}/images/profile.jpg`;
    const shown = { profilePicturePath: path, profilePictureVersion: 'theirs' };
    const to = { ...stored.document, fields: { name: 'Bramble', ...shown }, edits: stamps };
    await store.commit({ swaps: [{ from: stored, to }] });
    const lost = { collection: 'pets', documentId: petId, petId: null } as const;
    const fields = { ...shown, profilePictureVersion: 'mine' };
    const edits = { profilePicturePath: 5, profilePictureVersion: 5 };
    const version = versionOf({ ...lost, reason: 'other-edit' });
    await writeRecord(store, 'version1', { ...version, fields, edits });
    await commands.restoreConflictVersion('version1');
    const [placement] = (await store.listRecords('place-file')).values();
    expect(placement?.chosenAtMs).toBe(stamp + 1);
  });

  it('D5.13 of a picture becomes one again if another is restored before it was placed', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const lost = { collection: 'pets', documentId: petId, petId: null } as const;
    const profilePicturePath = `pets/${petId}/images/profile.jpg`;
    const edits = { profilePicturePath: 5, profilePictureVersion: 5 };
    for (const md5 of ['first', 'second']) {
      const fields = { profilePicturePath, profilePictureVersion: md5 };
      const version = versionOf({ ...lost, reason: 'other-edit' });
      await writeRecord(store, md5, { ...version, fields, edits });
      await commands.restoreConflictVersion(md5);
    }
    const [placement] = (await store.listRecords('place-file')).values();
    expect(placement).toMatchObject({ version: 'second' });
    const versions = [...(await store.listRecords('conflict-version')).values()];
    const fields = { profilePicturePath, profilePictureVersion: 'first' };
    expect(versions).toMatchObject([{ documentId: petId, side: 'local', fields }]);
  });

  it('of a voice note is restored as an edit, with the file that it names', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const documentId = await commands.addNote({ petId, text: 'Ducks' });
    const lost = { collection: 'entries', documentId, petId, reason: 'other-edit' } as const;
    const fields = { text: 'Geese', fileLocation: `pets/${petId}/audios/voice-note-5.webm` };
    const edits = { text: 5, fileLocation: 5 };
    await writeRecord(store, 'version1', { ...versionOf(lost), fields, edits });
    await commands.restoreConflictVersion('version1');
    const entry = (await store.get('entries', [documentId])).get(documentId)?.document;
    expect(entry?.fields).toMatchObject(fields);
    expect((await store.listRecords('place-file')).size).toBe(0);
  });

  it('moves to the chosen dog even if its entry still exists, which stays as it is', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const moss = await commands.createPet({ name: 'Moss' });
    const documentId = await commands.addNote({ petId, text: 'Ducks', createdDate: 7 });
    const lost = { collection: 'entries', documentId, petId, reason: 'other-edit' } as const;
    const text = { fields: { text: 'Geese' }, edits: { text: 5 } };
    await writeRecord(store, 'version1', { ...versionOf(lost), ...text });
    await commands.restoreConflictVersion('version1', moss);
    const entries = await store.listAll('entries', { afterId: '', limit: 9 });
    const found = entries.map(({ document }) => [document.petId, document.fields] as const);
    expect(new Map(found)).toEqual(
      new Map([
        [petId, { text: 'Ducks', type: 'note', createdDate: 7 }],
        [moss, { text: 'Geese', type: 'note', createdDate: 7 }],
      ]),
    );
    expect((await store.listRecords('conflict-version')).size).toBe(0);
  });

  it('comes back although what was restored from it before was deleted, here or elsewhere', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const lost = { collection: 'entries', documentId: 'gone', petId, reason: 'deleted' } as const;
    for (let round = 0; round < 3; round += 1) {
      // Another device has a version of the same id.
      await writeRecord(store, 'version1', { ...versionOf(lost), fields: { text: 'Geese' } });
      await commands.restoreConflictVersion('version1');
      const entries = await store.listAll('entries', { afterId: '', limit: 9 });
      const live = entries.flatMap(({ document }) => (document.deleted ? [] : [document]));
      expect(live).toMatchObject([{ petId, fields: { text: 'Geese' } }]);
      await commands.deleteEntry(live[0]?.id ?? '');
    }
  });

  it.each([
    ['a voice note', { type: 'voice-note' }, null, 'Geese'],
    ['a voice note that was restored before', { type: 'voice-note' }, 'Geese', 'Geese'],
    ['a voice note, unless another entry is there', { type: 'voice-note' }, 'Hares', 'Hares'],
    ['no note without a recording', { type: 'note' }, null, undefined],
  ])('O4.5 takes the place that Undo would give: %s', async (...row) => {
    const [, type, before, there] = row;
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const documentId = await commands.addNote({ petId, text: 'Ducks' });
    await commands.deleteEntry(documentId);
    const lost = { collection: 'entries', documentId, petId, reason: 'deleted' } as const;
    const restore = async (text: string): Promise<void> => {
      const fields = { text, ...type };
      await writeRecord(store, `version ${text}`, { ...versionOf(lost), fields });
      await commands.restoreConflictVersion(`version ${text}`);
    };
    if (before !== null) await restore(before);
    await restore('Geese');
    const entries = await store.listAll('entries', { afterId: '', limit: 9 });
    const live = entries.flatMap(({ document }) => (document.deleted ? [] : [document]));
    const texts = new Map(live.map((entry) => [entry.id, entry.fields['text']]));
    expect(texts.get(await derivedId(documentId))).toBe(there);
    expect(new Set(texts.values())).toEqual(new Set(['Geese', before ?? 'Geese']));
    expect(live).toHaveLength(before === 'Hares' ? 2 : 1);
  });

  it('O4.5 is another entry if that place belongs to an entry of another dog', async () => {
    const { commands, store } = await setUpData();
    const petId = await commands.createPet({ name: 'Bramble' });
    const moss = await commands.createPet({ name: 'Moss' });
    const lost = { collection: 'entries', documentId: 'gone', petId, reason: 'deleted' } as const;
    for (const holder of [petId, moss]) {
      const fields = { text: 'Geese', type: 'voice-note' };
      await writeRecord(store, 'version1', { ...versionOf(lost), fields });
      await commands.restoreConflictVersion('version1', holder);
    }
    const entries = await store.listAll('entries', { afterId: '', limit: 9 });
    expect(new Set(entries.map(({ document }) => document.petId))).toEqual(new Set([petId, moss]));
  });

  it('of a deleted dog is restored as a new dog, whose picture is brought from the old one', async () => {
    const { commands, store } = await setUpData();
    const objectName = 'pets/gone/images/profile.jpg';
    const fields = { name: 'Bramble', profilePicturePath: objectName, profilePictureVersion: 'm' };
    const lost = { collection: 'pets', documentId: 'gone', petId: null } as const;
    const version = { ...versionOf({ ...lost, reason: 'deleted' }), fields, edits: {} };
    // The second round repeats the command after a crash, when the dog is there and has its picture.
    for (let round = 0; round < 2; round += 1) {
      await writeRecord(store, 'version1', version);
      await commands.restoreConflictVersion('version1');
      const placed = [...(await store.listRecords('place-file'))];
      expect(placed).toHaveLength(round === 0 ? 1 : 0);
      for (const [id] of placed) await writeRecord(store, id, null);
    }
    const [pet, ...others] = await store.listAll('pets', { afterId: '', limit: 9 });
    expect(others).toEqual([]);
    expect(pet?.document.fields).toEqual({ name: 'Bramble' });
  });

  it('of a deleted dog without its name creates no dog, and stays', async () => {
    const { commands, store } = await setUpData();
    const lost = { collection: 'pets', documentId: 'gone', petId: null } as const;
    const version = versionOf({ ...lost, reason: 'other-edit' });
    await writeRecord(store, 'version1', { ...version, fields: { description: 'afraid of cows' } });
    await expect(commands.restoreConflictVersion('version1')).rejects.toMatchObject({
      code: 'not-found',
      message: 'This dog was deleted',
    });
    expect(await store.listAll('pets', { afterId: '', limit: 9 })).toEqual([]);
    expect(await store.readRecord('version1')).not.toBeNull();
  });

  it('that is not there any more cannot be restored, and is discarded already', async () => {
    const { commands, store } = await setUpData();
    await writeRecord(store, 'device', { kind: 'device', clockOffsetMs: 0 });
    for (const id of ['nowhere', 'device']) {
      await expect(commands.restoreConflictVersion(id)).rejects.toMatchObject({
        code: 'not-found',
        message: 'This version is not there any more',
      });
      await commands.discardConflictVersion(id);
    }
    expect(await store.readRecord('device')).not.toBeNull();
  });
});
