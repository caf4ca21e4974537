import { describe, expect, it, vi } from 'vitest';
import { fileMaxBytes } from '../../../schemas/limits.ts';
import { pictureJob, voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import { fetched, setUpFiles } from '../../../tests/support/setups/files-setup.ts';
import { bytesOf, putJob } from '../../../tests/support/setups/test-outbox.ts';
import type { Download } from './files.ts';
import type { SpokenEntry } from './voice-files.ts';
import { canTakePicture, canTakeSound } from './archive-files.ts';

const path = 'pets/pet/audios/voice-note-1.webm';

it.each([
  ['picture', 'image/png', canTakePicture],
  ['recording', 'audio/webm', canTakeSound],
])('a %s has a known type, and from one byte to the limit', (_, known, canTake) => {
  const takes = (byteLength: number, contentType = known): boolean =>
    canTake({ bytes: new ArrayBuffer(byteLength), contentType });
  expect([0, 1, fileMaxBytes, fileMaxBytes + 1].map((length) => takes(length))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(takes(1, 'text/plain')).toBe(false);
});

describe('the recording of an entry', () => {
  const spoken = { id: 'e1', petId: 'pet', fields: { fileLocation: path } };

  it('is that of this device, of the cache, or of the server if it may be asked', async () => {
    const { files, outbox, store, server, download } = await setUpFiles();
    server.set(path, fetched('there'));
    const { archive } = files;
    const read = (entry: SpokenEntry) => archive.recording(entry, archive.download);
    expect(await archive.recording(spoken)).toBeNull();
    expect(await read({ ...spoken, fields: {} })).toBeNull();
    expect(download).not.toHaveBeenCalled();
    const contentType = 'image/jpeg';
    expect(await read(spoken)).toEqual({ bytes: bytesOf('there'), contentType });
    const fields = { fileLocation: path, contentType: 'audio/webm' };
    expect(await read({ ...spoken, fields })).toMatchObject({ contentType: 'audio/webm' });
    await outbox.caches.keepRecording('e1', path, fetched('cached'));
    expect(await read(spoken)).toMatchObject({ bytes: bytesOf('cached') });
    await putJob(store, voiceJob('e1', { objectName: 'another' }), bytesOf('here'));
    expect(await read(spoken)).toEqual({
      bytes: bytesOf('here'),
      contentType: 'audio/webm',
    });
    expect(download).toHaveBeenCalledTimes(2);
  });

  it('is that which was unfinished when it was looked for, and is finished since', async () => {
    const { files, outbox, petId } = await setUpFiles();
    const recording = await files.voice.begin({ petId, contentType: 'audio/webm' });
    await recording.append(bytesOf('ducks'), 2_000);
    const readPieces = outbox.recordings.read;
    vi.spyOn(outbox.recordings, 'read').mockImplementationOnce(async (id) => {
      await recording.finish(2_000);
      return readPieces(id);
    });
    const entry = { id: recording.id, petId, fields: {} };
    expect(await files.archive.recording(entry)).toMatchObject({ bytes: bytesOf('ducks') });
  });

  it('is none if nobody has it', async () => {
    const { files } = await setUpFiles();
    expect(await files.archive.recording(spoken, files.archive.download)).toBeNull();
  });
});

describe('the picture of a dog', () => {
  it('is the newest that can be had', async () => {
    const { files, outbox, petId, server, download } = await setUpFiles();
    const fields = { profilePicturePath: path, profilePictureVersion: fetched('new').md5 };
    const pet = { id: petId, fields };
    const read = async (from?: Download) => {
      const found = await files.archive.picture(pet, from);
      return found && { bytes: found.bytes, isOlder: found.isOlder };
    };
    const older = (text: string) => ({ bytes: bytesOf(text), isOlder: true });
    const current = (text: string) => ({ bytes: bytesOf(text), isOlder: false });
    expect(await read(download)).toBeNull();
    await outbox.caches.keepPicture(petId, fetched('old'));
    expect(await read(download)).toEqual(older('old'));
    server.set(path, fetched('new'));
    download.mockClear();
    expect(await read()).toEqual(older('old'));
    expect(download).not.toHaveBeenCalled();
    expect(await read(download)).toEqual(current('new'));
    await outbox.caches.keepPicture(petId, fetched('new'));
    expect(await read(download)).toEqual(current('new'));
    await files.setProfilePicture(petId, { bytes: bytesOf('mine'), contentType: 'image/png' });
    expect(await read(download)).toEqual(current('mine'));
    expect(download).toHaveBeenCalledOnce();
  });

  it('is none without a connection or without a name', async () => {
    const { files, petId, server, download } = await setUpFiles();
    server.set(path, fetched('new'));
    const { archive } = files;
    expect(await archive.picture({ id: petId, fields: { profilePicturePath: path } })).toBeNull();
    expect(await archive.picture({ id: petId, fields: {} }, download)).toBeNull();
    expect(download).not.toHaveBeenCalled();
  });
});

it('a picture takes the place of one that waits only if this device has lost the bytes of that', async () => {
  const { files, store } = await setUpFiles();
  await putJob(store, pictureJob('a'), bytesOf('x'));
  const lost = pictureJob('b', { md5: 'lost' });
  await store.commit({ jobs: [{ from: null, to: lost }] });
  const plan = (petId: string) => files.archive.planPicture({ petId, ...fetched('imported') });
  expect(await plan('a')).toEqual({});
  expect(await plan('b')).toMatchObject({ jobs: [{ from: lost, to: { petId: 'b' } }] });
});
