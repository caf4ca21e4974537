import { writeRecord } from '../../store/change-documents.ts';
import { describe, expect, it } from 'vitest';
import { deletePetJobId } from '../../schemas/local/local-record.ts';
import { asDeleted } from '../../schemas/documents/document.ts';
import { createOutboxRig, lostWith, refusedWith } from '../../tests/support/setups/outbox-setup.ts';
import { clean, newPet } from '../../tests/support/fixtures/sync-documents.ts';
import { onlyJob, pictureOf, textOf } from '../../tests/support/setups/test-outbox.ts';

const path = 'pets/p1/images/profile.jpg';

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('not there');
  return value;
}

describe('a pass over the files', () => {
  it('O4.1 uploads a picture, tells its dog by an edit, and moves the bytes to the cache', async () => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture(pictureOf('p1', 'Rex'));
    expect(await rig.pass()).toBe(true);
    expect(textOf(rig.server.stored().get(path)?.bytes)).toBe('Rex');
    const md5 = 'd5Jj7EwbX5lDut7i5F5m+Q==';
    expect(rig.pet('p1')).toMatchObject({
      pending: 1,
      fields: { name: 'Rex', profilePicturePath: path, profilePictureVersion: md5 },
      base: { fields: { name: 'Rex' } },
    });
    rig.sync();
    await rig.pass();
    expect(await rig.outbox.queue.list()).toEqual([]);
    expect(await rig.outbox.caches.picture('p1')).toMatchObject({ md5 });
    expect(rig.edits()).toBe(1);
    expect(await rig.pass()).toBe(false);
  });

  it('O7.1 stamps the edit of a picture with the time at which its owner chose it', async () => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture({ ...pictureOf('p1', 'Rex'), chosenAtMs: 5_000 });
    await rig.pass();
    const stamps = { profilePicturePath: 5_000, profilePictureVersion: 5_000 };
    expect(rig.pet('p1')?.edits).toMatchObject(stamps);
  });

  it('O2.4 waits until its dog is on the server', async () => {
    const rig = createOutboxRig();
    rig.store.put(newPet('new'));
    await rig.outbox.addPicture(pictureOf('new'));
    await rig.pass();
    expect(rig.server.uploads).toEqual([]);
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'queued', attempts: 0 });
    rig.store.put(clean(newPet('new'), 7));
    await rig.pass();
    expect(rig.server.uploads).toEqual(['pets/new/images/profile.jpg']);
  });

  it('O4.2 a deleted dog takes its picture with it, at whatever stage', async () => {
    for (const stage of ['queued', 'uploading', 'uploaded', 'done'] as const) {
      const rig = createOutboxRig();
      await rig.outbox.addPicture(pictureOf('p1'));
      await rig.outbox.queue.move(await onlyJob(rig.outbox), { stage });
      rig.store.put(asDeleted(must(rig.pet('p1'))));
      await rig.pass();
      expect(await rig.outbox.queue.list()).toEqual([]);
      expect(await rig.outbox.caches.picture('p1')).toBeNull();
      expect(rig.server.uploads).toEqual([]);
    }
  });

  it('O4.2 a deleted dog takes its cached picture with it, and no other', async () => {
    const rig = createOutboxRig();
    for (const petId of ['p1', 'p2', 'nowhere']) {
      await rig.outbox.caches.keepPicture(petId, { ...pictureOf(petId), md5: 'md5' });
    }
    rig.store.put(asDeleted(must(rig.pet('p1'))));
    await rig.pass();
    const left = await rig.store.files.list('profile-picture');
    expect(left.map(({ documentId }) => documentId)).toEqual(['p2']);
  });

  it('O4.2 a dog whose deletion has begun is gone for its picture', async () => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture(pictureOf('p1'));
    await writeRecord(rig.store, deletePetJobId('p1'), { kind: 'delete-pet', petId: 'p1' });
    await rig.pass();
    expect(await rig.outbox.queue.list()).toEqual([]);
    expect(rig.server.uploads).toEqual([]);
  });

  it('O2.5 runs the oldest job first, and skips jobs that cannot continue', async () => {
    const rig = createOutboxRig();
    for (const petId of ['p2', 'p3', 'p1']) {
      await rig.outbox.addPicture(pictureOf(petId));
      await rig.clock.advance(1);
    }
    rig.server.refuse(({ objectName }) =>
      objectName.includes('p2')
        ? refusedWith('http-403')
        : objectName.includes('p3')
          ? lostWith('http-500')
          : null,
    );
    await rig.pass();
    expect(rig.server.uploads.map((name) => name.split('/')[1])).toEqual(['p2', 'p3', 'p1']);
    rig.sync();
    await rig.pass();
    expect((await rig.outbox.queue.list()).map(({ petId, stage }) => [petId, stage])).toEqual([
      ['p2', 'failed'],
      ['p3', 'uploading'],
    ]);
    expect(await rig.outbox.caches.picture('p1')).not.toBeNull();
  });

  it('O2.2 an answer that was lost after storing does not cost a second upload', async () => {
    const rig = createOutboxRig({
      wrapFiles: (files) => ({
        ...files,
        upload: async (...args) => {
          await files.upload(...args);
          throw lostWith('unavailable');
        },
      }),
    });
    await rig.outbox.addPicture(pictureOf('p1'));
    await rig.pass();
    await rig.clock.advance(600_000);
    await rig.pass();
    rig.sync();
    await rig.pass();
    expect(rig.server.uploads).toHaveLength(1);
    expect(await rig.outbox.queue.list()).toEqual([]);
    expect(rig.pet('p1')?.fields).toMatchObject({ profilePicturePath: path });
  });

  it('O2.3 bytes stay here until the server confirms size and hash', async () => {
    const rig = createOutboxRig({
      wrapFiles: (files) => ({
        ...files,
        stat: async () => null,
        upload: async (...args) => ({ ...(await files.upload(...args)), md5: 'another' }),
      }),
    });
    await rig.outbox.addPicture(pictureOf('p1', 'Rex'));
    await rig.pass();
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'uploading', code: 'not-confirmed' });
    expect(textOf(await rig.outbox.queue.readBytes(await onlyJob(rig.outbox)))).toBe('Rex');
    expect(rig.pet('p1')?.fields).toEqual({ name: 'Rex' });
  });

  it('O1.2 the result of an upload whose picture was replaced is ignored, and the new one follows', async () => {
    const rig: ReturnType<typeof createOutboxRig> = createOutboxRig({
      wrapFiles: (files) => ({
        ...files,
        upload: async (...args) => {
          const stored = await files.upload(...args);
          if (rig.server.uploads.length === 1) {
            await rig.outbox.addPicture(pictureOf('p1', 'the newer'));
          }
          return stored;
        },
      }),
    });
    await rig.outbox.addPicture(pictureOf('p1', 'the older'));
    await rig.pass();
    expect(rig.pet('p1')?.fields).toEqual({ name: 'Rex' });
    await rig.pass();
    expect(textOf(rig.server.stored().get(path)?.bytes)).toBe('the newer');
    rig.sync();
    await rig.pass();
    const cached = await rig.outbox.caches.picture('p1');
    expect(textOf(cached?.bytes)).toBe('the newer');
    expect(rig.pet('p1')?.fields['profilePictureVersion']).toBe(cached?.md5);
  });
});

describe('a file that the server does not take', () => {
  it.each(['http-403', 'http-413', 'http-415', 'http-400'])(
    'O3.3 %s: parked with its reason, kept, and tried again when its owner says so',
    async (code) => {
      const rig = createOutboxRig();
      await rig.outbox.addPicture(pictureOf('p1', 'Rex'));
      rig.server.refuse(() => refusedWith(code));
      await rig.pass();
      await rig.clock.advance(10_000_000);
      rig.worker.poke('manual');
      await rig.pass();
      const parked = await onlyJob(rig.outbox);
      expect(parked).toMatchObject({ stage: 'failed', code });
      expect(rig.server.uploads).toHaveLength(1);
      expect(textOf(await rig.outbox.queue.readBytes(parked))).toBe('Rex');

      rig.server.refuse(() => null);
      await rig.outbox.queue.move(parked, { stage: 'queued', attempts: 0, code: null });
      await rig.pass();
      expect(textOf(rig.server.stored().get(path)?.bytes)).toBe('Rex');
    },
  );

  it('O3.4 is not parked while the account itself is refused', async () => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture(pictureOf('p1'));
    rig.server.refuse(() => refusedWith('http-403'));
    rig.state.isAccountGood = false;
    await rig.pass();
    expect(await onlyJob(rig.outbox)).toMatchObject({
      stage: 'uploading',
      code: 'account-refused',
    });
  });

  it('O3.3 a file whose bytes are gone is parked too, and holds up nobody', async () => {
    const rig = createOutboxRig({
      wrapQueue: (queue) => ({
        ...queue,
        readBytes: async (job) => (job.petId === 'p1' ? null : queue.readBytes(job)),
      }),
    });
    await rig.outbox.addPicture(pictureOf('p1'));
    await rig.clock.advance(1);
    await rig.outbox.addPicture(pictureOf('p2'));
    await rig.pass();
    rig.sync();
    await rig.pass();
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'failed', code: 'bytes-missing' });
  });

  it('O2.5 a read that fails is a defect of that file alone, and no refusal', async () => {
    const rig = createOutboxRig({
      wrapQueue: (queue) => ({
        ...queue,
        readBytes: async (job) => {
          if (job.petId === 'p1') throw new Error('unreadable');
          return queue.readBytes(job);
        },
      }),
    });
    await rig.outbox.addPicture(pictureOf('p1'));
    await rig.clock.advance(1);
    await rig.outbox.addPicture(pictureOf('p2'));
    await rig.pass();
    rig.sync();
    await rig.pass();
    expect(await onlyJob(rig.outbox)).toMatchObject({ petId: 'p1', code: 'defect', attempts: 1 });
  });
});

describe('a server that does not answer', () => {
  it('O3.1 is asked again after growing pauses', async () => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture(pictureOf('p1'));
    rig.server.refuse(() => lostWith('unavailable'));
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await rig.pass();
      const { nextAttemptAtMs, attempts } = await onlyJob(rig.outbox);
      expect(attempts).toBe(attempt + 1);
      pauses.push(nextAttemptAtMs - rig.clock.now());
      await rig.clock.advance(pauses.at(-1) ?? 0);
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
    expect(rig.server.uploads).toHaveLength(5);
  });

  it('O3.1 is not asked during a pause, unless the connection comes back or the owner asks', async () => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture(pictureOf('p1'));
    rig.server.refuse(() => lostWith('unavailable'));
    await rig.pass();
    await rig.pass();
    expect(rig.server.uploads).toHaveLength(1);
    for (const reason of ['online', 'manual'] as const) {
      rig.worker.poke(reason);
      await rig.pass();
    }
    expect(rig.server.uploads).toHaveLength(3);
  });

  it('O3.1 a clock that was set back does not hold a file for ever', async () => {
    const rig = createOutboxRig();
    await rig.pass();
    await rig.outbox.addPicture(pictureOf('p1'));
    const job = await onlyJob(rig.outbox);
    await rig.outbox.queue.move(job, { attempts: 1, nextAttemptAtMs: rig.clock.now() + 1e12 });
    await rig.pass();
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'done' });
  });

  it('O3.2 offline nothing is tried, and nothing counts as a failure', async () => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture(pictureOf('p1'));
    rig.state.isOnline = false;
    await rig.pass();
    rig.state.isOnline = true;
    rig.server.refuse(() => {
      rig.state.isOnline = false;
      return lostWith('unavailable');
    });
    await rig.pass();
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'uploading', attempts: 0 });
  });

  it('O3.2 signed out nothing counts as a failure', async () => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture(pictureOf('p1'));
    await rig.outbox.addPicture(pictureOf('p2'));
    rig.server.refuse(() => lostWith('unauthenticated'));
    await rig.pass();
    expect(rig.server.uploads).toHaveLength(1);
    expect((await rig.outbox.queue.list()).map(({ attempts }) => attempts)).toEqual([0, 0]);
  });
});

describe('the worker of the outbox', () => {
  it('O5.1 works after each sync of documents, and by itself when a pause is over', async () => {
    const rig = createOutboxRig();
    const stop = new AbortController();
    const ended = rig.worker.work(stop.signal);
    await rig.outbox.addPicture(pictureOf('p1'));
    rig.server.refuse(() => lostWith('unavailable'));
    await rig.clock.settle();
    expect(rig.server.uploads).toHaveLength(0);

    rig.worker.poke('documents');
    await expect.poll(() => rig.server.uploads.length).toBe(1);
    await expect.poll(async () => (await onlyJob(rig.outbox)).attempts).toBe(1);
    rig.server.refuse(() => null);
    await expect
      .poll(async () => {
        await rig.clock.advance(2_000);
        return (await onlyJob(rig.outbox)).stage;
      })
      .toBe('done');
    stop.abort();
    await ended;
  });

  it('D11.4 ends with the lock, also while a server does not answer', async () => {
    const rig = createOutboxRig({
      wrapFiles: (files) => ({
        ...files,
        upload: (_file, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
      }),
    });
    await rig.outbox.addPicture(pictureOf('p1'));
    const stop = new AbortController();
    const ended = rig.worker.work(stop.signal);
    rig.worker.poke('documents');
    await expect.poll(async () => (await onlyJob(rig.outbox)).stage).toBe('uploading');
    stop.abort();
    await ended;
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'uploading', attempts: 0 });
  });
});
