import { describe, expect, it, vi } from 'vitest';
import { exportListMaxBytes, exportMaxBytes } from '../../../schemas/limits.ts';
import { exportListName } from '../../../schemas/export-file.ts';
import {
  endUploads,
  setUpTransfers,
  unhurried,
} from '../../../tests/support/setups/transfer-setup.ts';
import { bytesOf, onlyJob } from '../../../tests/support/setups/test-outbox.ts';
import { createZipWriter } from '../../lib/zip/zip-writer.ts';
import { importSentences } from './import-file.ts';
import type { TransferProgress } from './transfers.ts';

const pet = { id: 'p1', name: 'Bramble', picture: null, edits: { name: 1 } };
const entry = {
  id: 'e1',
  petId: 'p1',
  createdDate: '2026-05-03T14:05:00.000Z',
  type: 'note',
  text: 'Ducks',
  recording: null,
  edits: {},
};
const list = {
  format: 'pawpals-export',
  version: 1,
  exportedAt: '2026-05-04T00:00:00.000Z',
  owner: 'owner',
  pets: [pet],
  entries: [entry],
};

async function zipOf(files: Readonly<Record<string, string | ArrayBuffer>>): Promise<Blob> {
  const writer = createZipWriter();
  for (const [name, content] of Object.entries(files)) {
    await writer.add({ name, content: new Blob([content]), modifiedMs: 0, isText: true });
  }
  return writer.finish();
}

const maxBytes = exportMaxBytes + exportListMaxBytes;

/** Returns a file that says to have that size. */
const sized = async (size: number): Promise<Blob> =>
  Object.defineProperty(new Blob(['x']), 'size', { value: size });

const withList = (value: unknown) => zipOf({ [exportListName]: JSON.stringify(value) });

describe('a file that is no export', () => {
  it.each<[string, () => Promise<Blob>, keyof typeof importSentences]>([
    ['is no zip file', async () => new Blob(['{"format":"pawpals-export"}']), 'notZip'],
    ['is another zip file', () => zipOf({ 'holiday.jpg': 'x' }), 'notOurs'],
    ['has another list', () => withList({ pets: [] }), 'notOurs'],
    ['has a list that is no JSON', () => zipOf({ [exportListName]: '{"format":' }), 'notOurs'],
    ['has a list of nothing', () => zipOf({ [exportListName]: '' }), 'notOurs'],
    ['lacks its entries', () => withList({ ...list, entries: undefined }), 'notOurs'],
    ['is of a newer version', () => withList({ ...list, version: 2, pets: 'other' }), 'newer'],
    ['leads out of itself', () => zipOf({ [exportListName]: '{}', '../../x': '' }), 'unsafe'],
    ['has the maximum size, and is no zip file', () => sized(maxBytes), 'notZip'],
    ['is too large', () => sized(maxBytes + 1), 'tooLarge'],
  ])('because it %s, is refused, and nothing is written', async (_why, make, sentence) => {
    const device = await setUpTransfers();
    await expect(device.transfers.openImport(await make())).rejects.toMatchObject({
      code: 'invalid',
      message: importSentences[sentence],
    });
    expect(await device.database.pets.count().exec()).toBe(1);
    for (const each of Object.values(importSentences))
      expect(each).toContain('Nothing was changed.');
  });

  it.each<[string, number, keyof typeof importSentences]>([
    ['a bomb', exportListMaxBytes + 1, 'tooLarge'],
    ['shorter than it says', exportListMaxBytes, 'notZip'],
  ])('because its list is %s, is refused', async (_why, declaredBytes, sentence) => {
    const zip = new Uint8Array(await (await withList(list)).arrayBuffer());
    const at = Buffer.from(zip).indexOf('PK\u0001\u0002', 0, 'latin1');
    new DataView(zip.buffer).setUint32(at + 24, declaredBytes, true);
    const device = await setUpTransfers();
    await expect(device.transfers.openImport(new Blob([zip]))).rejects.toMatchObject({
      message: importSentences[sentence],
    });
  });
});

describe('an entry of the list', () => {
  it.each<[string, object]>([
    ['an id of nothing', { id: '' }],
    ['no date', { createdDate: 'tomorrow' }],
    ['a date that the server cannot store', { createdDate: '+200000-01-01T00:00:00.000Z' }],
    ['a type of its own', { type: 'video' }],
    ['a text too long', { text: 'x'.repeat(10_001) }],
    ['a text that is none', { text: 5 }],
    ['stamps that are none', { edits: { text: 'x' } }],
  ])('with %s is left out and counted; the rest comes in', async (_what, part) => {
    const device = await setUpTransfers();
    const zip = await withList({
      ...list,
      entries: [
        { ...entry, id: 'e2' },
        { ...entry, ...part },
      ],
    });
    const opened = await device.transfers.openImport(zip);
    expect(opened.preview).toMatchObject({ notes: 1, unreadable: 1 });
    await opened.run(unhurried);
    expect(await device.database.journal_entries.count().exec()).toBe(1);
  });

  it('is not brought back if it is a draft or another version, which is counted', async () => {
    const device = await setUpTransfers();
    const zip = await withList({ ...list, otherVersions: [{ fields: {} }], drafts: ['a', 'b'] });
    const opened = await device.transfers.openImport(zip);
    expect(opened.preview).toMatchObject({ notes: 1, unsaved: 3, unreadable: 0 });
  });

  it.each(['a/b', '..', '__all__', 'x y'])('never uses %j as an id on this device', async (id) => {
    const device = await setUpTransfers();
    const zip = await withList({ ...list, entries: [{ ...entry, id }] });
    for (const known of [0, 2]) {
      const opened = await device.transfers.openImport(zip);
      expect(opened.preview.known).toBe(known);
      await opened.run(unhurried);
    }
    const rows = await device.database.journal_entries.find().exec();
    expect(rows.map((row) => /^[0-9a-f]{20}$/.test(row.id))).toEqual([true]);
  });

  it('has no stamp that is later than now, and none of a field that is not known', async () => {
    const device = await setUpTransfers();
    const edits = { text: 9e15, type: -5, __proto__x: 1 };
    const zip = await withList({ ...list, entries: [{ ...entry, edits }] });
    await (await device.transfers.openImport(zip)).run(unhurried);
    const row = await device.database.journal_entries.findOne('e1').exec();
    expect(row?.toMutableJSON().edits).toEqual({
      text: 1_700_000_000_000,
      type: 0,
      createdDate: 0,
    });
  });

  it('has its files also when a Mac has packed it again, with accents of their own', async () => {
    const device = await setUpTransfers();
    const recording = { file: 'Bär/a.webm'.normalize('NFC'), contentType: 'audio/webm' };
    const spoken = { ...entry, type: 'voice-note', recording: { ...recording, durationMs: 5 } };
    const zip = await zipOf({
      [exportListName]: JSON.stringify({ ...list, entries: [spoken] }),
      ['Bär/a.webm'.normalize('NFD')]: bytesOf('a recording'),
    });
    const opened = await device.transfers.openImport(zip);
    expect(opened.preview.files).toBe(1);
    expect(await opened.run(unhurried)).toMatchObject({ voiceNotes: 1, unreadableFiles: 0 });
  });

  it('may lie in a folder, as when a zip was unpacked and packed again', async () => {
    const device = await setUpTransfers();
    const recording = { file: 'Bramble/a.webm', contentType: 'audio/webm', durationMs: 5 };
    const spoken = { ...entry, id: 'e2', type: 'voice-note', recording };
    const zip = await zipOf({
      '__MACOSX/pawpals.json': 'x',
      'export of may/pawpals.json': JSON.stringify({ ...list, entries: [entry, spoken] }),
      'export of may/Bramble/a.webm': bytesOf('a recording'),
    });
    const opened = await device.transfers.openImport(zip);
    expect(opened.preview).toMatchObject({ notes: 1, voiceNotes: 1, files: 1 });
    expect(await opened.run(unhurried)).toMatchObject({ unreadableFiles: 0 });
    const job = await device.outbox.queue.get('voice-note:e2');
    expect(job).toMatchObject({ stage: 'queued', contentType: 'audio/webm' });
  });

  it.each([
    ['of a type that nobody plays', 'video/mp4', 'x'],
    ['of a type that no request can name', 'audio/webm;\r\nX-Other: 1', 'x'],
    ['of nothing', 'audio/webm', ''],
    ['too large', 'audio/webm', 'x'.repeat(11 * 1_024 * 1_024)],
  ])(
    'with a recording %s comes in without it, and says so',
    async (_what, contentType, content) => {
      const device = await setUpTransfers();
      const recording = { file: 'a.webm', contentType, durationMs: 5 };
      const spoken = { ...entry, type: 'voice-note', transcript: 'waiting', recording };
      const zip = await zipOf({
        [exportListName]: JSON.stringify({ ...list, entries: [spoken] }),
        'a.webm': content,
      });
      const result = await (await device.transfers.openImport(zip)).run(unhurried);
      expect(result).toMatchObject({ voiceNotes: 1, unreadableFiles: 1 });
      expect(await device.outbox.queue.list()).toEqual([]);
      const row = await device.database.journal_entries.findOne('e1').exec();
      expect(row?.fields.transcript).toBe('failed');
    },
  );
});

describe('an import', () => {
  const picture = { file: 'a.png', contentType: 'image/png' };
  const recording = { file: 'a.webm', contentType: 'audio/webm', durationMs: 5 };
  const spoken = { ...entry, type: 'voice-note', recording };
  const withFiles = (value: object) =>
    zipOf({
      [exportListName]: JSON.stringify({ ...list, ...value }),
      'a.png': 'a picture',
      'a.webm': 'a recording',
    });

  it('is told to sync after the dogs and after each piece of entries, with its progress', async () => {
    const device = await setUpTransfers();
    const opened = await device.transfers.openImport(await withList(list));
    expect(opened.preview.exportedAtMs).toBe(Date.parse(list.exportedAt));
    device.onWritten.mockClear();
    const progress: TransferProgress[] = [];
    await opened.run({ ...unhurried, onProgress: (one) => progress.push(one) });
    expect(device.onWritten).toHaveBeenCalledTimes(2);
    expect(progress).toEqual([
      { done: 0, total: 1 },
      { done: 1, total: 1 },
    ]);
  });

  it('that was cancelled before writes nothing', async () => {
    const device = await setUpTransfers();
    const opened = await device.transfers.openImport(await withList(list));
    const run = opened.run({ ...unhurried, signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ cause: { name: 'AbortError' } });
    expect(await device.database.pets.count().exec()).toBe(1);
  });

  it('says that the device is full, and that it goes on from there, and sends what it has stored', async () => {
    const device = await setUpTransfers();
    const pets = [pet, { ...pet, id: 'p2' }];
    const opened = await device.transfers.openImport(await withList({ ...list, pets }));
    const commit = device.store.commit.bind(device.store);
    vi.spyOn(device.store, 'commit')
      .mockImplementationOnce(commit)
      .mockRejectedValue(new Error('QuotaExceededError'));
    device.onWritten.mockClear();
    await expect(opened.run(unhurried)).rejects.toMatchObject({
      name: 'CommandError',
      code: 'storage',
      message: expect.stringMatching(/could not store all of it.*it goes on from there/),
    });
    expect(device.onWritten).toHaveBeenCalledOnce();
  });

  it.each([
    ['replaces the one of the server', {}, ['md5']],
    ['replaces none if it is older than that', { isOlder: true }, []],
  ])('brings a picture that %s', async (_, mark, replaces) => {
    const { outbox, transfers } = await setUpTransfers();
    const known = { ...picture, serverVersion: 'md5', ...mark };
    const zip = await withFiles({ pets: [{ ...pet, picture: known }], entries: [] });
    await (await transfers.openImport(zip)).run(unhurried);
    expect(await onlyJob(outbox)).toMatchObject({ kind: 'profile-picture', replaces });
  });

  it('brings a file, at the time of its entry, only where this device has none', async () => {
    const device = await setUpTransfers();
    const { outbox, transfers } = device;
    const zip = await withFiles({ pets: [{ ...pet, picture }], entries: [spoken] });
    await (await transfers.openImport(zip)).run(unhurried);
    expect(await outbox.queue.list()).toMatchObject([
      { kind: 'profile-picture', contentType: 'image/png', createdAtMs: 1, replaces: [] },
      { kind: 'voice-note', durationMs: 5, createdAtMs: Date.parse(entry.createdDate) },
    ]);
    await endUploads(device);
    const again = await (await transfers.openImport(zip)).run(unhurried);
    expect(again).toEqual({
      pets: 0,
      notes: 0,
      voiceNotes: 0,
      known: 2,
      otherVersions: 0,
      lostFiles: 0,
      unreadableFiles: 0,
    });
    expect(await outbox.queue.list()).toEqual([]);
  });

  it('brings a recording whose length is not known without one', async () => {
    const { outbox, transfers } = await setUpTransfers();
    const { durationMs: _, ...unmeasured } = recording;
    const zip = await withFiles({ pets: [pet], entries: [{ ...spoken, recording: unmeasured }] });
    await (await transfers.openImport(zip)).run(unhurried);
    expect(await onlyJob(outbox)).not.toHaveProperty('durationMs');
  });

  it('counts the files that it cannot use, and brings what they belong to', async () => {
    const device = await setUpTransfers();
    const zip = await withFiles({
      pets: [
        { ...pet, picture: { ...picture, file: 'not there.png' } },
        { ...pet, id: 'p2', picture: { file: 'a.png' } },
        { ...pet, id: 'p3', picture: { file: null } },
      ],
      entries: [
        { ...spoken, recording: { ...recording, file: 'not there.webm' } },
        { ...spoken, id: 'e2', recording: { file: 'a.webm' } },
        { ...spoken, id: 'e3', recording: { file: null } },
      ],
    });
    const opened = await device.transfers.openImport(zip);
    expect(opened.preview).toMatchObject({ pets: 3, files: 2, voiceNotes: 3, notes: 0 });
    expect(await opened.run(unhurried)).toMatchObject({
      pets: 3,
      voiceNotes: 3,
      unreadableFiles: 4,
    });
    expect(await device.outbox.queue.list()).toEqual([]);
  });

  it('takes the first of two with one id, and counts the other as unreadable', async () => {
    const device = await setUpTransfers();
    const second = { ...entry, text: 'Geese' };
    const zip = await withList({ ...list, entries: [entry, second] });
    const opened = await device.transfers.openImport(zip);
    expect(opened.preview).toMatchObject({ notes: 1, unreadable: 1 });
    await opened.run(unhurried);
    const row = await device.database.journal_entries.findOne('e1').exec();
    expect(row?.fields.text).toBe('Ducks');
  });

  it('reads the list that lies highest in the zip', async () => {
    const device = await setUpTransfers();
    const zip = await zipOf({
      'an older export/pawpals.json': '{}',
      'pawpals.json': JSON.stringify(list),
    });
    expect((await device.transfers.openImport(zip)).preview).toMatchObject({ pets: 1, notes: 1 });
  });
});
