import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { writeShare } from '../../../replication/shares/share-database.ts';
import { fileMaxBytes, pictureCacheMaxBytes } from '../../../schemas/limits.ts';
import { cachedPictureId } from '../../../schemas/local/file-bytes.ts';
import { change, expectLive } from '../../../tests/support/setups/data-setup.ts';
import { voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import { fetched, setUpFiles } from '../../../tests/support/setups/files-setup.ts';
import { bytesOf, onlyJob, putJob, textOf } from '../../../tests/support/setups/test-outbox.ts';
import type { PicturedPet } from './files.ts';

const jpeg = (text: string) => ({ bytes: bytesOf(text), contentType: 'image/jpeg' });
const path = 'pets/p/images/profile.jpg';

function uploaded(petId: string, text: string): PicturedPet {
  const fields = { profilePicturePath: path, profilePictureVersion: fetched(text).md5 };
  return { id: petId, fields };
}

describe('a picture that was set', () => {
  it('is stored when the command resolves, shown at once, and told to sync', async () => {
    const { files, outbox, petId, onWritten } = await setUpFiles();
    onWritten.mockClear();
    await files.setProfilePicture(petId, jpeg('first'));
    const job = await onlyJob(outbox);
    expect(job).toMatchObject({ stage: 'queued', petId });
    expect(textOf(await outbox.queue.readBytes(job))).toBe('first');
    expect(onWritten).toHaveBeenCalledOnce();
    await expectLive(files.picture({ id: petId, fields: {} }), (url) =>
      expect(url).toBe('1:first'),
    );
    await expectLive(files.jobs(), (jobs) => expect(jobs).toEqual([job]));
  });

  it('replaces the one before, whose URL is revoked', async () => {
    const { files, petId, revoked, watchers } = await setUpFiles();
    await files.setProfilePicture(petId, jpeg('first'));
    const live = files.picture({ id: petId, fields: {} });
    const stop = live.subscribe(() => undefined);
    await vi.waitFor(() => expect(live.getSnapshot()).toBe('1:first'));
    await files.setProfilePicture(petId, jpeg('second'));
    await vi.waitFor(() => expect(live.getSnapshot()).toBe('2:second'));
    expect(revoked).toEqual(['1:first']);
    stop();
    expect(watchers()).toBe(2);
    await files.close();
    await files.close();
    expect(revoked).toEqual(['1:first', '2:second']);
    expect(watchers()).toBe(0);
  });

  it('keeps its address when the server has it, and is there for the next who asks', async () => {
    const { files, outbox, petId, download } = await setUpFiles();
    await files.setProfilePicture(petId, jpeg('first'));
    await expectLive(files.picture({ id: petId, fields: {} }), (url) =>
      expect(url).toBe('1:first'),
    );
    await outbox.keepUploadedPicture(await onlyJob(outbox));
    const after = files.picture(uploaded(petId, 'first'));
    expect(after.getSnapshot()).toBe('1:first');
    await expectLive(after, (url) => expect(url).toBe('1:first'));
    expect(download).not.toHaveBeenCalled();
  });

  it('is newer than the one before, and replaces only the one whose bytes its owner could see', async () => {
    const { files, outbox, store, petId } = await setUpFiles();
    const setAtMs = Date.now() + 60_000;
    await outbox.caches.keepPicture(petId, fetched('cached'));
    await change(store, { collection: 'pets', id: petId }, (pet) => ({
      ...pet,
      fields: { ...pet.fields, profilePicturePath: path, profilePictureVersion: 'on its way' },
      edits: { ...pet.edits, profilePicturePath: setAtMs, profilePictureVersion: setAtMs },
    }));
    await files.setProfilePicture(petId, jpeg('first'));
    expect(await onlyJob(outbox)).toMatchObject({
      createdAtMs: setAtMs + 1,
      replaces: [fetched('cached').md5],
      seenStamp: 0,
    });
  });

  it.each([
    ['the dog shows it', { profilePictureVersion: fetched('cached').md5 }, 9],
    ['the dog names it without a version', {}, 9],
  ])('O7.2 has seen the picture of a stamp if %s', async (_, version, seenStamp) => {
    const { files, outbox, store, petId } = await setUpFiles();
    await outbox.caches.keepPicture(petId, fetched('cached'));
    await change(store, { collection: 'pets', id: petId }, (pet) => ({
      ...pet,
      fields: { ...pet.fields, profilePicturePath: path, ...version },
      edits: { ...pet.edits, profilePicturePath: 9 },
    }));
    await files.setProfilePicture(petId, jpeg('first'));
    expect(await onlyJob(outbox)).toMatchObject({ seenStamp });
    // The dog shows the cached picture no longer: the first one waits in its place.
    await change(store, { collection: 'pets', id: petId }, (pet) => ({
      ...pet,
      fields: { ...pet.fields, profilePictureVersion: fetched('cached').md5 },
      edits: { ...pet.edits, profilePictureVersion: 20 },
    }));
    await files.setProfilePicture(petId, jpeg('second'));
    expect(await onlyJob(outbox)).toMatchObject({ seenStamp });
  });

  it('may have the maximum size', async () => {
    const { files, outbox, petId } = await setUpFiles();
    await files.setProfilePicture(petId, { ...jpeg(''), bytes: new ArrayBuffer(fileMaxBytes) });
    expect(await onlyJob(outbox)).toMatchObject({ byteLength: fileMaxBytes });
  });

  it.each([
    [{ ...jpeg('x'), contentType: 'text/plain' }, 'not a picture'],
    [jpeg(''), 'not a picture'],
    [{ ...jpeg('x'), bytes: new ArrayBuffer(fileMaxBytes + 1) }, 'larger than 10 MB'],
  ])('is refused with a sentence if it cannot be one', async (picture, words) => {
    const { files, petId, outbox } = await setUpFiles();
    const refused = files.setProfilePicture(petId, picture);
    await expect(refused).rejects.toMatchObject({ name: 'CommandError', code: 'invalid' });
    await expect(refused).rejects.toThrow(words);
    await expect(refused).rejects.toThrow(/^Upload failed\. /);
    expect(await outbox.queue.list()).toEqual([]);
  });

  it('is refused for a dog that is not there', async () => {
    const { files, commands, petId } = await setUpFiles();
    await commands.deletePet(petId);
    for (const [id, message] of [
      [petId, 'This dog was deleted'],
      ['nowhere', 'This dog is not on this device'],
    ] as const) {
      const refused = { code: 'not-found', message };
      await expect(files.setProfilePicture(id, jpeg('x'))).rejects.toMatchObject(refused);
    }
  });

  it('says so when the device is full, and the one before stays', async () => {
    const { files, outbox, petId } = await setUpFiles();
    await files.setProfilePicture(petId, jpeg('first'));
    vi.spyOn(outbox, 'addPicture').mockRejectedValue(new Error('QuotaExceededError'));
    await expect(files.setProfilePicture(petId, jpeg('second'))).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringMatching(/^Upload failed\. .*Free some space/),
    });
    await expectLive(files.picture({ id: petId, fields: {} }), (url) =>
      expect(url).toBe('1:first'),
    );
  });
});

describe('a picture of another device', () => {
  it('is fetched when somebody looks, and then kept', async () => {
    const { files, outbox, petId, server, download } = await setUpFiles();
    server.set(path, fetched('theirs'));
    await expectLive(files.picture(uploaded(petId, 'theirs')), (url) => {
      expect(url).toBe('1:theirs');
    });
    expect(download).toHaveBeenCalledExactlyOnceWith(path);
    expect(await outbox.caches.picture(petId)).toMatchObject({ md5: fetched('theirs').md5 });
  });

  it('is fetched although an earlier client has stored no version of it', async () => {
    const { files, petId, server } = await setUpFiles();
    server.set(path, fetched('theirs'));
    const pet = { id: petId, fields: { profilePicturePath: path } };
    await expectLive(files.picture(pet), (url) => expect(url).toBe('1:theirs'));
  });

  it('shows the older one until the newer is here', async () => {
    const { files, outbox, petId, server } = await setUpFiles();
    await outbox.caches.keepPicture(petId, fetched('old'));
    server.set(path, fetched('new'));
    const live = files.picture(uploaded(petId, 'new'));
    const seen: unknown[] = [];
    const stop = live.subscribe(() => seen.push(live.getSnapshot()));
    await vi.waitFor(() => expect(live.getSnapshot()).toBe('2:new'));
    expect(seen).toEqual(['1:old', '2:new']);
    stop();
  });

  it('waits behind one that this device has not sent', async () => {
    const { files, petId, download } = await setUpFiles();
    await files.setProfilePicture(petId, jpeg('mine'));
    const live = files.picture(uploaded(petId, 'theirs'));
    await expectLive(live, (url) => expect(url).toBe('1:mine'));
    expect(download).not.toHaveBeenCalled();
  });

  it('counts as used when it is shown, once in a session, and is not fetched again', async () => {
    const { files, outbox, petId, download } = await setUpFiles();
    const use = vi.spyOn(outbox.caches, 'use').mockRejectedValue(new Error('QuotaExceededError'));
    await outbox.caches.keepPicture(petId, fetched('kept'));
    for (let look = 0; look < 2; look += 1) {
      await expectLive(files.picture(uploaded(petId, 'kept')), (url) => expect(url).toBe('1:kept'));
    }
    expect(use).toHaveBeenCalledExactlyOnceWith(cachedPictureId(petId));
    expect(download).not.toHaveBeenCalled();
  });

  it('is shown for as long as the page is open, also if the pictures of other dogs have evicted it', async () => {
    const { files, outbox, petId, revoked } = await setUpFiles();
    await outbox.caches.keepPicture(petId, fetched('kept'));
    await expectLive(files.picture(uploaded(petId, 'kept')), (url) => expect(url).toBe('1:kept'));
    const large = { ...fetched(''), bytes: new ArrayBuffer(pictureCacheMaxBytes) };
    await outbox.caches.keepPicture('other', large);
    expect(await outbox.caches.picture(petId)).toBeNull();
    const live = files.picture(uploaded(petId, 'kept'));
    const seen: unknown[] = [];
    onTestFinished(live.subscribe(() => seen.push(live.getSnapshot())));
    await vi.waitFor(() => expect(seen).toEqual(['1:kept']));
    expect(revoked).toEqual([]);
  });

  it('is null while the dog has none, even if one is cached', async () => {
    const { files, outbox, petId, download } = await setUpFiles();
    await outbox.caches.keepPicture(petId, fetched('removed since'));
    await expectLive(files.picture({ id: petId, fields: {} }), (url) => expect(url).toBeNull());
    expect(download).not.toHaveBeenCalled();
  });
});

it('a file of which the server has all bytes is not among those it does not have', async () => {
  const { files, outbox, petId } = await setUpFiles();
  const audio = { entryId: 'e1', petId, objectName: 'pets/p/audios/voice-note-1.webm' };
  await outbox.voiceNotes.requestTranscript({ ...audio, contentType: 'audio/webm' });
  await expectLive(files.jobs(), (jobs) => expect(jobs).toEqual([]));
  const { id } = await onlyJob(outbox);
  await expect(files.readFile(id)).rejects.toMatchObject({ code: 'not-found' });
});

describe('an item that another app has shared', () => {
  const file = { id: 'f1', name: 'a.jpg', contentType: 'image/jpeg', bytes: null };
  const item = { id: 's1', createdAtMs: Date.now(), texts: ['Ducks'], files: [file] };

  async function share() {
    const kit = await setUpFiles();
    await writeShare({ ...item, owner: kit.uid }, Date.now());
    return { ...kit.files, uid: kit.uid };
  }

  it('stays for as long as a part of it remains', async () => {
    const { shared, uid } = await share();
    const rest = { ...item, texts: [], owner: uid };
    expect(await shared.keepRest('s1', () => rest)).toEqual(rest);
    expect(await shared.read('s1')).toEqual(rest);
    await shared.keepRest('s1', () => ({ ...rest, files: [] }));
    expect(await shared.read('s1')).toBeNull();
    expect(await shared.keepRest('s1', () => rest)).toBeNull();
  });

  it('that cannot be read is not said to be one that could not be stored', async () => {
    const { shared } = await share();
    const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('broken', 'UnknownError');
    });
    onTestFinished(() => open.mockRestore());
    const message = 'This device could not read the file. Reload and try again.';
    await expect(shared.read('s1')).rejects.toMatchObject({ code: 'storage', message });
  });

  it('loses every part that is used, also at the same time', async () => {
    const { shared } = await share();
    await Promise.all([
      shared.keepRest('s1', (stored) => ({ ...stored, texts: [] })),
      shared.keepRest('s1', (stored) => ({ ...stored, files: [] })),
    ]);
    expect(await shared.read('s1')).toBeNull();
  });
});

describe('a file that is parked', () => {
  async function park() {
    const kit = await setUpFiles();
    await kit.files.setProfilePicture(kit.petId, jpeg('refused'));
    const job = await onlyJob(kit.outbox);
    const changes = { stage: 'failed', attempts: 3, code: 'http-403' } as const;
    await kit.outbox.queue.move(job, changes);
    kit.onWritten.mockClear();
    return { ...kit, jobId: job.id };
  }

  it('is tried again from the start', async () => {
    const { files, outbox, jobId, onWritten } = await park();
    await files.retryFile(jobId);
    const again = { stage: 'uploading', attempts: 0, nextAttemptAtMs: 0, code: null };
    expect(await onlyJob(outbox)).toMatchObject(again);
    expect(onWritten).toHaveBeenCalledOnce();
  });

  it('is the only one that is tried again: one that waits keeps its attempts', async () => {
    const { files, outbox, jobId } = await park();
    const waiting = {
      stage: 'uploading',
      attempts: 2,
      nextAttemptAtMs: 9,
      code: 'http-500',
    } as const;
    await outbox.queue.move(await onlyJob(outbox), waiting);
    await files.retryFile(jobId);
    expect(await onlyJob(outbox)).toMatchObject(waiting);
  });

  it('D8.7 is tried again with all others', async () => {
    const { files, outbox, commands } = await park();
    const petId = await commands.createPet({ name: 'Moss' });
    await files.setProfilePicture(petId, jpeg('waits'));
    await files.retryAllFiles();
    expect((await outbox.queue.list()).map(({ stage }) => stage)).toEqual(['uploading', 'queued']);
  });

  it('D8.7 is tried again although one of the others is discarded meanwhile', async () => {
    const { files, outbox, jobId, store } = await park();
    const other = voiceJob('e1', {
      stage: 'failed',
      attempts: 1,
      code: 'http-403',
      createdAtMs: 1,
    });
    await putJob(store, other, bytesOf('sound'));
    const listed = await outbox.queue.list();
    await outbox.queue.discard(other);
    vi.spyOn(outbox.queue, 'list').mockResolvedValueOnce(listed);
    await files.retryAllFiles();
    expect(await onlyJob(outbox)).toMatchObject({ id: jobId, stage: 'uploading' });
  });

  it('is given up, and shows no more', async () => {
    const { files, outbox, jobId, petId, onWritten } = await park();
    await files.discardFile(jobId);
    expect(onWritten).toHaveBeenCalledOnce();
    await files.discardFile(jobId);
    expect(await outbox.queue.list()).toEqual([]);
    await expectLive(files.picture({ id: petId, fields: {} }), (url) => expect(url).toBeNull());
  });

  it.each([
    ['http-403', 1],
    ['words-too-large', 0],
  ])(
    'of a voice note that was refused with %s and is given up: %i names its file for removal',
    async (code, count) => {
      const { files, outbox, store } = await setUpFiles();
      const job = voiceJob('e1', { stage: 'failed', attempts: 1, code });
      await putJob(store, job, bytesOf('may have arrived'));
      await files.discardFile(job.id);
      expect(await outbox.queue.list()).toEqual([]);
      const { objectName } = job;
      expect([...(await store.listRecords('remove-file')).values()]).toMatchObject(
        [{ collection: 'entries', documentId: 'e1', objectName }].slice(0, count),
      );
    },
  );

  it('O6.4 of a voice note that is tried again and then given up may have arrived at first', async () => {
    const { files, outbox, store } = await setUpFiles();
    const job = voiceJob('e1', { stage: 'failed', attempts: 1, code: 'http-403' });
    await putJob(store, job, bytesOf('may have arrived'));
    await files.retryFile(job.id);
    await files.discardFile(job.id);
    expect(await outbox.queue.list()).toEqual([]);
    expect([...(await store.listRecords('remove-file')).values()]).toMatchObject([
      { collection: 'entries', documentId: 'e1', objectName: job.objectName },
    ]);
  });

  it('is given up also while it is just being moved on', async () => {
    const { files, outbox, jobId } = await park();
    const get = outbox.queue.get.bind(outbox.queue);
    vi.spyOn(outbox.queue, 'get').mockImplementationOnce(async (id) => {
      const seen = await get(id);
      if (seen !== null) await outbox.queue.move(seen, { stage: 'queued' });
      return seen;
    });
    await files.discardFile(jobId);
    expect(await outbox.queue.list()).toEqual([]);
  });

  it('can be read, until it is gone', async () => {
    const { files, jobId } = await park();
    const { bytes, contentType } = await files.readFile(jobId);
    expect([textOf(bytes), contentType]).toEqual(['refused', 'image/jpeg']);
    await files.discardFile(jobId);
    const gone = { code: 'not-found', message: 'This file is not waiting any more' };
    await expect(files.readFile(jobId)).rejects.toMatchObject(gone);
    await expect(files.retryFile(jobId)).rejects.toMatchObject(gone);
  });
});
