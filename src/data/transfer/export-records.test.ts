import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { storedEntry, storedPet } from '../../../tests/support/fixtures/stored-documents.ts';
import {
  exportedEntrySchema,
  exportedPetSchema,
  exportListSchema,
} from '../../../schemas/export-file.ts';
import { createExportList, createTextParts, entryToExport, petToExport } from './export-records.ts';

const none = { file: null, contentType: undefined };

describe('an exported pet', () => {
  const fields = { name: 'Bramble', breed: 'Vizsla', dob: '2020-02-29', description: 'Wet' };

  it('has its content, its stamps and no sync state', () => {
    const row = { ...storedPet(fields), pending: 0 } as const;
    expect(petToExport({ row, ...none })).toEqual({
      id: 'p1',
      ...fields,
      picture: null,
      edits: { name: 1, breed: 1, dob: 1, description: 1 },
    });
  });

  it('names the fields that were not sent: all of a new one, else those that were edited or cleared', () => {
    const row = storedPet({ name: 'Bramble', breed: 'Vizsla' });
    expect(petToExport({ row, ...none }).unsent).toEqual(['name', 'breed']);
    const base = { fields: { name: 'Bramble', description: 'Wet' }, edits: {} };
    for (const pending of [1, 2] as const) {
      const edited = petToExport({ row: { ...row, pending, base }, ...none });
      expect(edited.unsent).toEqual(['breed', 'description']);
    }
  });

  it('has a picture if its bytes or its place on the server are known', () => {
    const file = 'Bramble/picture.png';
    const waiting = { row: storedPet(fields), file, contentType: 'image/png' };
    expect(petToExport(waiting).picture).toMatchObject({ file, contentType: 'image/png' });
    const server = { profilePicturePath: 'pets/p1/images/a.jpg', profilePictureVersion: 'md5' };
    expect(petToExport({ row: storedPet({ ...fields, ...server }), ...none }).picture).toEqual({
      file: null,
      contentType: undefined,
      serverPath: 'pets/p1/images/a.jpg',
      serverVersion: 'md5',
    });
  });
});

describe('an exported entry', () => {
  it('of a note has no recording', () => {
    const row = storedEntry({ createdDate: 5_000, type: 'note', text: 'Ducks' });
    const exported = entryToExport({ row, ...none });
    expect(exported.recording).toBeNull();
    expect(exported.createdDate).toBe('1970-01-01T00:00:05.000Z');
  });

  it('of a voice note has one, also if neither bytes nor place are known', () => {
    const fields = { type: 'voice-note', durationMs: 1_500, waveform: '0f' };
    const exported = entryToExport({ row: storedEntry(fields), ...none });
    expect(exported.createdDate).toBe('1970-01-01T00:00:00.000Z');
    expect(exported.recording).toMatchObject({ file: null, durationMs: 1_500, waveform: '0f' });
  });
});

describe('a text in parts', () => {
  it('is the whole text, however long and in however many pieces', async () => {
    const parts = createTextParts();
    const pieces = Array.from({ length: 50 }, (_, index) => `${index}${'ü🐕'.repeat(2_000)}`);
    for (const piece of pieces) parts.write(piece);
    expect(await parts.toBlob().text()).toBe(pieces.join(''));
  });

  it('is empty if nothing was written', async () => {
    expect(await createTextParts().toBlob().text()).toBe('');
  });
});

describe('the list of an export', () => {
  const head = {
    exportedAt: '2024-05-06T07:08:09.010Z',
    owner: 'u1',
    otherVersions: [{ fields: { text: 'other }' } }],
    drafts: ['a draft'],
  };

  it('is valid JSON of the format, with every pet and entry in order', async () => {
    const list = createExportList();
    for (const name of ['Bramble', 'Teal'])
      list.addPet(petToExport({ row: storedPet({ name }), ...none }));
    for (const text of ['one', '"two"\n'])
      list.addEntry(entryToExport({ row: storedEntry({ type: 'note', text }), ...none }));
    const parsed: unknown = JSON.parse(await list.toBlob(head).text());
    expect(parsed).toMatchObject(head);
    const { pets, entries } = v.parse(exportListSchema, parsed);
    expect(pets.map((pet) => v.parse(exportedPetSchema, pet).name)).toEqual(['Bramble', 'Teal']);
    expect(entries.map((entry) => v.parse(exportedEntrySchema, entry).text)).toEqual([
      'one',
      '"two"\n',
    ]);
  });

  it('is valid JSON without any', async () => {
    const text = await createExportList().toBlob(head).text();
    expect(v.parse(exportListSchema, JSON.parse(text))).toMatchObject({ pets: [], entries: [] });
  });
});
