import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { describe, expect, it } from 'vitest';
import {
  onlyJob,
  openTestOutbox,
  pictureOf,
  textOf,
} from '../../tests/support/setups/test-outbox.ts';
import { failWrite } from '../../tests/support/fakes/failing-writes.ts';
import { openTestDatabase } from '../../tests/support/setups/test-database.ts';
import { raiseStores } from '../indexeddb/raise-stores.ts';
import { newId } from '../../src/platform/new-id.ts';
import { openDatabase } from '../rxdb/database.ts';
import { eraseDatabase } from '../erase.ts';
import { databaseName } from '../indexeddb/stores.ts';
import { openOutbox } from './open-outbox.ts';

describe('the queue of files', () => {
  it('O1.1 keeps a job with its bytes over a restart, for the page and the worker alike', async () => {
    const uid = crypto.randomUUID();
    const database = await openDatabase({ uid, raise: raiseStores });
    const deps = { now: Date.now, newId };
    await openOutbox(database, deps).addPicture(pictureOf('p1', 'Rex'));
    const worker = openOutbox(database, deps);
    expect(textOf(await worker.queue.readBytes(await onlyJob(worker)))).toBe('Rex');
    await database.close();
    const reopened = await openTestOutbox({}, uid);
    expect(await onlyJob(reopened)).toMatchObject({
      id: 'profile-picture:p1',
      stage: 'queued',
      objectName: 'pets/p1/images/profile.jpg',
      byteLength: 3,
      md5: 'd5Jj7EwbX5lDut7i5F5m+Q==',
    });
    expect(textOf(await reopened.queue.readBytes(await onlyJob(reopened)))).toBe('Rex');
  });

  it('O1.1 bytes that cannot be stored leave no job behind', async () => {
    const database = await openTestDatabase();
    const outbox = openOutbox(database, { now: Date.now, newId });
    failWrite(database, 0);
    await expect(outbox.addPicture(pictureOf('p1'))).rejects.toThrow('The disk has failed');
    expect(await outbox.queue.list()).toEqual([]);
    await outbox.addPicture(pictureOf('p1', 'Rex'));
    expect(textOf(await outbox.queue.readBytes(await onlyJob(outbox)))).toBe('Rex');
  });

  it('O1.2 a new picture takes the place of one that waits', async () => {
    const outbox = await openTestOutbox();
    await outbox.addPicture(pictureOf('p1', 'old'));
    const old = await onlyJob(outbox);
    await outbox.addPicture(pictureOf('p1', 'new'));
    expect(textOf(await outbox.queue.readBytes(await onlyJob(outbox)))).toBe('new');
    await outbox.caches.evictLeastRecentlyUsed();
    expect(await outbox.queue.readBytes(old)).toBeNull();
    expect(await outbox.queue.move(old, { stage: 'uploaded' })).toBeNull();
    expect(await outbox.queue.discard(old)).toBe(false);
    expect((await onlyJob(outbox)).stage).toBe('queued');
  });

  it('O1.2 a picture that cannot be stored leaves the one before as it was', async () => {
    const database = await openTestDatabase();
    const outbox = openOutbox(database, { now: Date.now, newId });
    await outbox.addPicture(pictureOf('p1', 'old'));
    failWrite(database, 0);
    await expect(outbox.addPicture(pictureOf('p1', 'new'))).rejects.toThrow('The disk has failed');
    expect(textOf(await outbox.queue.readBytes(await onlyJob(outbox)))).toBe('old');
  });

  it('O2.1 a job is moved on by one only of two who saw the same', async () => {
    const outbox = await openTestOutbox();
    await outbox.addPicture(pictureOf('p1'));
    const seen = await onlyJob(outbox);
    expect(await outbox.queue.move(seen, { stage: 'uploading' })).toMatchObject({
      stage: 'uploading',
    });
    expect(await outbox.queue.move(seen, { stage: 'failed' })).toBeNull();
    expect(await onlyJob(outbox)).toMatchObject({ stage: 'uploading' });
  });

  it('O2.5 lists the oldest first', async () => {
    let nowMs = 10;
    const outbox = await openTestOutbox({ now: () => nowMs });
    for (const petId of ['z', 'a', 'm']) {
      await outbox.addPicture(pictureOf(petId));
      nowMs += 1;
    }
    expect((await outbox.queue.list()).map(({ petId }) => petId)).toEqual(['z', 'a', 'm']);
  });

  it('O5.2 is erased with all that its owner has here, and does not open itself again', async () => {
    const uid = crypto.randomUUID();
    const outbox = await openTestOutbox({}, uid);
    await outbox.addPicture(pictureOf('p1'));
    expect(await eraseDatabase(uid)).toBe('erased');
    await expect(outbox.queue.list()).rejects.toMatchObject({ name: 'InvalidStateError' });
    expect(await Dexie.exists(databaseName(uid))).toBe(false);
  });
});
