import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { somethingWentWrong } from '../../../schemas/copy/form-copy.ts';
import { exportMaxBytes } from '../../../schemas/limits.ts';
import { checkpointId, emptyCheckpoint } from '../../../schemas/local/local-record.ts';
import { writeRecord } from '../../../store/change-documents.ts';
import { pictureJob, petVersion, voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import { change, clean } from '../../../tests/support/setups/data-setup.ts';
import { fetched } from '../../../tests/support/setups/files-setup.ts';
import { bytesOf, putJob } from '../../../tests/support/setups/test-outbox.ts';
import {
  addSpoken,
  setUpTransfers,
  textIn,
  unhurried,
  type TransferDevice,
} from '../../../tests/support/setups/transfer-setup.ts';
import { stubWebStorage } from '../../../tests/support/setups/web-storage.ts';
import { writeDraft } from '../../lib/draft.ts';
import type { ExportScope, TransferProgress } from './transfers.ts';

const may = new Date(2026, 4, 3, 4, 5).getTime();

interface ListInZip {
  readonly drafts?: readonly unknown[];
  readonly otherVersions?: readonly unknown[];
}

const listIn = async (zip: Blob): Promise<ListInZip> =>
  JSON.parse(await textIn(zip, 'pawpals.json'));

/** Adds a voice note whose recording is on the server alone. */
async function addRemote({ commands, store, petId }: TransferDevice, id: string) {
  const note = { id, petId, contentType: 'audio/webm', durationMs: 1, createdDate: may };
  await commands.addVoiceNote(note, async () => ({}));
  const fileLocation = `pets/${petId}/audios/${id}.webm`;
  await change(store, { collection: 'entries', id }, (entry) =>
    clean(3)({ ...entry, fields: { ...entry.fields, fileLocation } }),
  );
  return fileLocation;
}

describe('an export', () => {
  // The name of the file has the date of the device.
  beforeEach(() => vi.stubEnv('TZ', 'Europe/London'));
  afterEach(() => vi.unstubAllEnvs());

  async function withUnfinished() {
    stubWebStorage();
    const device = await setUpTransfers();
    const { commands, store, petId } = device;
    await commands.createPet({ name: 'Moss' });
    writeDraft({ owner: 'owner', name: 'note' }, 'A draft');
    await writeRecord(store, 'version1', petVersion({ fields: { text: 'Geese', type: 'note' } }));
    await writeRecord(store, 'version2', petVersion({ fields: { name: 'Bram', breed: 'Vizsla' } }));
    const strayId = await commands.addNote({ petId, text: 'A stray' });
    await change(store, { collection: 'entries', id: strayId }, (entry) => ({
      ...entry,
      petId: 'gone',
    }));
    return device;
  }

  it('of everything has the drafts and other versions, and notes whose dog is gone', async () => {
    const { exportAll } = await withUnfinished();
    const { zip, ...found } = await exportAll();
    expect(found).toMatchObject({
      fileName: 'pawpals-2023-11-14.zip',
      pets: 2,
      notes: 1,
      drafts: 1,
      otherVersions: 2,
    });
    const summary = await textIn(zip, 'README.md');
    expect(summary).toContain(
      '## Drafts\n\nA draft\n\n## Other versions\n\nGeese\n\nBram, Vizsla\n',
    );
    expect(await listIn(zip)).toMatchObject({
      drafts: ['A draft'],
      otherVersions: [{ fields: { text: 'Geese' } }, { fields: { name: 'Bram' } }],
    });
  });

  it('of one dog has its journal and nothing else, and its name', async () => {
    const { transfers, petId } = await withUnfinished();
    const { zip, ...found } = await transfers.exportZip({ kind: 'pet', petId }, unhurried);
    expect(found).toEqual({
      fileName: 'pawpals-Bramble-2023-11-14.zip',
      pets: 1,
      notes: 0,
      voiceNotes: 0,
      drafts: 0,
      otherVersions: 0,
      missingFiles: 0,
      isPartial: false,
    });
    expect(await listIn(zip)).toMatchObject({
      pets: [{ name: 'Bramble' }],
      entries: [],
      drafts: [],
      otherVersions: [],
    });
  });

  it('of one dog has its drafts and other versions', async () => {
    const { transfers, store, petId } = await withUnfinished();
    writeDraft({ owner: 'owner', name: petId }, 'half a thought');
    writeDraft({ owner: 'owner', name: `${petId}.description.1` }, 'A gentle dog');
    const fields = { text: 'Ducks', type: 'note' };
    const ofEntry = petVersion({ collection: 'entries', documentId: 'e1', petId, fields });
    await writeRecord(store, 'version3', ofEntry);
    await writeRecord(store, 'version4', petVersion({ documentId: petId, fields: { name: 'B' } }));
    const { zip } = await transfers.exportZip({ kind: 'pet', petId }, unhurried);
    const { drafts, otherVersions } = await listIn(zip);
    expect(new Set(drafts)).toEqual(new Set(['half a thought', 'A gentle dog']));
    expect(otherVersions).toMatchObject([{ fields }, { fields: { name: 'B' } }]);
  });

  it.each(['during', 'before'] as const)(
    'of one dog fails if the dog is deleted %s it',
    async (when) => {
      const { transfers, commands, files, store, petId } = await setUpTransfers();
      const id = await commands.addNote({ petId, text: 'one' });
      await change(store, { collection: 'entries', id }, clean(1));
      const remove = async () => {
        await commands.deletePet(petId);
        return null;
      };
      if (when === 'before') await remove();
      else vi.spyOn(files.archive, 'picture').mockImplementation(remove);
      const exported = transfers.exportZip({ kind: 'pet', petId }, unhurried);
      await expect(exported).rejects.toMatchObject({
        code: 'not-found',
        message: 'Part of the journal was deleted meanwhile. Export it again.',
      });
    },
  );

  it('has no dog that is deleted, or whose deletion has begun', async () => {
    const { commands, store, petId, exportAll } = await setUpTransfers();
    await commands.deletePet(await commands.createPet({ name: 'Moss' }));
    await writeRecord(store, `delete-pet:${petId}`, { kind: 'delete-pet', petId });
    expect(await exportAll()).toMatchObject({ pets: 0 });
  });

  it('reports its progress in entries', async () => {
    const { transfers, commands, petId } = await setUpTransfers();
    for (const text of ['one', 'two']) await commands.addNote({ petId, text });
    for (const scope of [
      { kind: 'everything' },
      { kind: 'unsent' },
      { kind: 'pet', petId },
    ] satisfies readonly ExportScope[]) {
      const progress: TransferProgress[] = [];
      await transfers.exportZip(scope, { ...unhurried, onProgress: (one) => progress.push(one) });
      expect(progress).toEqual([0, 1, 2].map((done) => ({ done, total: 2 })));
    }
  });

  it('tells that its device has not fetched all of the journal, unless only unsent data is wanted', async () => {
    const { transfers, store, petId } = await setUpTransfers();
    for (const checkpoint of [null, { ...emptyCheckpoint, firstPullUntil: 9 }]) {
      await writeRecord(store, checkpointId, checkpoint);
      for (const [scope, isPartial] of [
        [{ kind: 'everything' }, true],
        [{ kind: 'pet', petId }, true],
        [{ kind: 'unsent' }, false],
      ] as const) {
        const found = await transfers.exportZip(scope, unhurried);
        expect(found).toMatchObject({ isPartial });
        const readme = await textIn(found.zip, 'README.md');
        expect(readme.includes('\n- Part of the journal\n')).toBe(isPartial);
        expect(readme.includes('All recordings and pictures are in it.')).toBe(!isPartial);
      }
    }
  });

  it('ends when its owner cancels it', async () => {
    const { transfers, petId } = await setUpTransfers();
    const signal = AbortSignal.abort();
    const exported = transfers.exportZip({ kind: 'pet', petId }, { ...unhurried, signal });
    await expect(exported).rejects.toMatchObject({ cause: { name: 'AbortError' } });
  });

  it('fails as a whole if the database cannot be read', async () => {
    const { store, exportAll } = await setUpTransfers();
    vi.spyOn(store, 'listRecords').mockRejectedValue(new Error('AbortError'));
    const told = { name: 'CommandError', code: 'storage', message: somethingWentWrong };
    await expect(exportAll()).rejects.toMatchObject(told);
  });
});

describe('an export of unsent data', () => {
  it('has the dogs that are unsent, or have an unsent entry or file, by name', async () => {
    const device = await setUpTransfers();
    const { commands, store, transfers, petId } = device;
    const names = ['Sent', 'With a picture', 'with a note', 'Unsent'];
    const ids = new Map<string, string>();
    for (const name of names) ids.set(name, await commands.createPet({ name }));
    for (const id of [petId, ...ids.values()]) {
      if (id !== ids.get('Unsent')) await change(store, { collection: 'pets', id }, clean(1));
    }
    const nameless = await commands.createPet({ name: 'x' });
    await change(store, { collection: 'pets', id: nameless }, (pet) => ({ ...pet, fields: {} }));
    const noteId = await commands.addNote({ petId: ids.get('with a note') ?? '', text: 'Ducks' });
    await putJob(store, pictureJob(ids.get('With a picture') ?? ''), bytesOf('x'));
    const deleted = await commands.addNote({ petId, text: 'deleted' });
    await commands.deleteEntry(deleted);
    // The entry of this recording is not on this device, and its owner has decided about it.
    await putJob(store, voiceJob('nowhere', { petId: 'gone' }), bytesOf('x'));
    const { zip } = await transfers.exportZip({ kind: 'unsent' }, unhurried);
    expect(await listIn(zip)).toMatchObject({
      pets: [
        { id: nameless },
        { name: 'Unsent' },
        { name: 'with a note' },
        { name: 'With a picture' },
      ],
      entries: [{ id: noteId }],
    });
  });

  it('has a recording that was cut off as a voice note that waits for its transcript', async () => {
    const device = await setUpTransfers();
    const { files, transfers, petId, outbox } = device;
    const recording = await files.voice.begin({ petId, contentType: 'audio/webm' });
    await recording.append(bytesOf('interrupted'), 4_000);
    await recording.finish(4_000);
    const [job] = await outbox.queue.list();
    const { zip } = await transfers.exportZip({ kind: 'unsent' }, unhurried);
    expect(await listIn(zip)).toMatchObject({
      entries: [
        {
          id: recording.id,
          petId,
          type: 'voice-note',
          transcript: 'waiting',
          createdDate: new Date(job?.createdAtMs ?? 0).toISOString(),
          recording: { contentType: 'audio/webm', durationMs: 4_000 },
        },
      ],
    });
  });

  it.each([
    ['went away', { text: 'went away', transcript: 'rough' }],
    ['', { transcript: 'none' }],
  ])('has a recording with its transcript "%s" that was not sent', async (text, words) => {
    const { files, transfers, petId, outbox } = await setUpTransfers();
    const recording = await files.voice.begin({ petId, contentType: 'audio/webm' });
    await recording.append(bytesOf('sound'), 4_000);
    await recording.finish(4_000);
    const [job] = await outbox.queue.list();
    if (job !== undefined) await outbox.queue.move(job, { heard: { text, rough: true } });
    const { zip } = await transfers.exportZip({ kind: 'unsent' }, unhurried);
    const list = await listIn(zip);
    expect(list).toMatchObject({ entries: [words] });
    expect(JSON.stringify(list).includes('"text":')).toBe(text !== '');
  });
});

describe('the files of an export', () => {
  it('are named by their time, with two digits each, and by a number if that is taken', async () => {
    const device = await setUpTransfers();
    for (const text of ['one', 'two']) await addSpoken(device, text, may);
    const { zip } = await device.exportAll();
    const names = ['2026-05-03 04.05.webm', '2026-05-03 04.05 2.webm'];
    const sounds = names.map((name) => textIn(zip, `Bramble/voice-notes/${name}`));
    expect(new Set(await Promise.all(sounds))).toEqual(new Set(['one', 'two']));
  });

  it('of unknown types are included', async () => {
    const device = await setUpTransfers();
    const { store, petId, server, exportAll } = device;
    const path = await addRemote(device, 'e1');
    server.set(path, { ...fetched('a recording'), contentType: 'audio/x-new' });
    const profilePicturePath = `pets/${petId}/images/profile.new`;
    server.set(profilePicturePath, { ...fetched('a picture'), contentType: 'image/x-new' });
    await change(store, { collection: 'pets', id: petId }, (pet) => ({
      ...pet,
      fields: { ...pet.fields, profilePicturePath },
    }));
    await change(store, { collection: 'entries', id: 'e1' }, ({ fields, ...entry }) => {
      const { contentType: _, ...rest } = fields;
      return { ...entry, fields: rest };
    });
    const { zip, missingFiles } = await exportAll();
    expect(missingFiles).toBe(0);
    expect(await textIn(zip, 'Bramble/picture.picture')).toBe('a picture');
    expect(await textIn(zip, 'Bramble/voice-notes/2026-05-03 04.05.audio')).toBe('a recording');
    expect(await listIn(zip)).toMatchObject({
      pets: [{ picture: { file: 'Bramble/picture.picture', contentType: 'image/x-new' } }],
    });
  });

  it('that are missing are those of dogs as well', async () => {
    const { store, petId, exportAll } = await setUpTransfers();
    await change(store, { collection: 'pets', id: petId }, (pet) => ({
      ...pet,
      fields: { ...pet.fields, profilePicturePath: `pets/${petId}/images/profile.jpg` },
    }));
    const { zip, missingFiles } = await exportAll();
    expect(missingFiles).toBe(1);
    expect(await textIn(zip, 'README.md')).toContain('- Bramble, picture\n');
    expect(await textIn(zip, 'Bramble/journal.md')).toContain('Picture (not in this file)');
  });

  it('for which it has no room are not said to be missing on this device', async () => {
    const device = await setUpTransfers();
    await addSpoken(device, 'a recording', may);
    const bytes = Object.defineProperty(bytesOf('x'), 'byteLength', { value: exportMaxBytes + 1 });
    const found = { bytes, contentType: 'audio/webm' };
    vi.spyOn(device.files.archive, 'recording').mockResolvedValue(found);
    const { zip, missingFiles } = await device.exportAll();
    expect(missingFiles).toBe(1);
    const summary = await textIn(zip, 'README.md');
    expect(summary).toContain('- Bramble, 3 May 2026 at 04:05, voice note\n');
    for (const page of [summary, await textIn(zip, 'Bramble/journal.md')])
      expect(page).not.toContain('not on this device');
  });

  it('that this device cannot read are missing, and stop no export', async () => {
    const device = await setUpTransfers();
    await addSpoken(device, 'a recording', may);
    const { archive } = device.files;
    for (const name of ['recording', 'picture'] as const)
      vi.spyOn(archive, name).mockRejectedValue(new Error('The value cannot be read.'));
    const { zip, missingFiles } = await device.exportAll();
    expect(missingFiles).toBe(2);
    const summary = await textIn(zip, 'README.md');
    for (const what of ['3 May 2026 at 04:05, voice note', 'picture'])
      expect(summary).toContain(`- Bramble, ${what}\n`);
  });

  it('are asked for again after a server failed now and then', async () => {
    const device = await setUpTransfers();
    for (let index = 0; index < 7; index += 1) await addRemote(device, `e${String(index)}`);
    let count = 0;
    device.download.mockImplementation(async () => {
      count += 1;
      if (count % 3 !== 0) throw new Error('no answer');
      return fetched('a recording');
    });
    expect(await device.exportAll()).toMatchObject({ missingFiles: 5 });
    expect(device.download).toHaveBeenCalledTimes(7);
  });
});
