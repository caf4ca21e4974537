import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  onlyJob,
  openTestOutbox,
  textOf,
} from '../../tests/support/setups/test-outbox.ts';
import { newId } from '../../src/platform/new-id.ts';
import { openDatabase } from '../rxdb/database.ts';
import { raiseStores } from '../indexeddb/raise-stores.ts';
import { openOutbox } from './open-outbox.ts';
import type { Outbox } from './outbox.ts';

const recording = {
  id: 'ent1',
  petId: 'p1',
  contentType: 'audio/webm;codecs=opus',
  startedAtMs: 1_700_000_000_123,
};

async function record({ recordings }: Outbox, texts: readonly string[], own = recording) {
  await recordings.begin(own);
  for (const [index, text] of texts.entries()) {
    const untilMs = (index + 1) * 500;
    await recordings.append({ recordingId: own.id, index, bytes: bytesOf(text), untilMs });
  }
}

describe('recordings', () => {
  it('O1.4 pieces become one job with their bytes, unchanged, over a restart', async () => {
    const uid = crypto.randomUUID();
    const database = await openDatabase({ uid, raise: raiseStores });
    const before = openOutbox(database, { now: Date.now, newId });
    await record(before, ['yester', 'day we ', 'went away']);
    await database.close();
    const outbox = await openTestOutbox({}, uid);
    expect(await outbox.recordings.list()).toEqual([recording]);
    const job = await outbox.recordings.finish('ent1');
    const whole = bytesOf('yesterday we went away');
    expect(job).toMatchObject({
      id: 'voice-note:ent1',
      kind: 'voice-note',
      entryId: 'ent1',
      petId: 'p1',
      stage: 'recorded',
      contentType: 'audio/webm;codecs=opus',
      durationMs: 1_500,
      byteLength: whole.byteLength,
      md5: '',
      createdAtMs: recording.startedAtMs,
    });
    expect(job?.objectName).toBe('pets/p1/audios/voice-note-1700000000123.webm');
    expect(await onlyJob(outbox)).toEqual(job);
    expect(textOf(await outbox.queue.readBytes(await onlyJob(outbox)))).toBe(
      'yesterday we went away',
    );
    expect(await outbox.recordings.list()).toEqual([]);
  });

  it('O2.8 one of the same millisecond is named after the next', async () => {
    const outbox = await openTestOutbox();
    await record(outbox, ['a']);
    await record(outbox, ['b'], { ...recording, id: 'ent2' });
    await outbox.recordings.finish('ent1');
    const second = await outbox.recordings.finish('ent2');
    expect(second?.objectName).toBe('pets/p1/audios/voice-note-1700000000124.webm');
  });

  it('O2.8 one that has the name of a recording in the cache is named after the next, and that one stays', async () => {
    const outbox = await openTestOutbox();
    const cached = { bytes: bytesOf('there'), contentType: 'audio/webm', md5: 'other' };
    await outbox.caches.keepRecording('e0', 'pets/p1/audios/voice-note-1700000000123.webm', cached);
    await record(outbox, ['a']);
    const job = await outbox.recordings.finish('ent1');
    expect(job?.objectName).toBe('pets/p1/audios/voice-note-1700000000124.webm');
    expect(await outbox.caches.recordings()).toHaveLength(2);
  });

  it('O2.8 one that goes to another dog takes no name of a recording there', async () => {
    const outbox = await openTestOutbox();
    await record(outbox, ['of p1']);
    await record(outbox, ['of p2'], { ...recording, id: 'ent2', petId: 'p2' });
    const job = await outbox.recordings.finish('ent1');
    const other = await outbox.recordings.finish('ent2');
    if (job === null || other === null) throw new Error('nothing was recorded');
    await outbox.voiceNotes.rehome(job, { entryId: 'ent1', petId: 'p2' });
    const moved = await outbox.queue.get('voice-note:ent1');
    expect(moved?.objectName).toBe('pets/p2/audios/voice-note-1700000000124.webm');
    expect(moved && textOf(await outbox.queue.readBytes(moved))).toBe('of p1');
    expect(textOf(await outbox.queue.readBytes(other))).toBe('of p2');
  });

  it('O1.4 finished again it finds the job that is there, at whatever stage', async () => {
    const outbox = await openTestOutbox();
    await record(outbox, ['a']);
    const job = await outbox.recordings.finish('ent1', 1_234.5);
    expect(job?.durationMs).toBe(1_235);
    expect(await outbox.recordings.finish('ent1')).toEqual(job);
    if (job !== null) await outbox.queue.move(job, { stage: 'queued' });
    expect(await outbox.recordings.finish('ent1')).toMatchObject({ stage: 'queued' });
  });

  it('O1.4 finished twice at once it is one job, which both get', async () => {
    const outbox = await openTestOutbox();
    await record(outbox, ['a']);
    const finish = () => outbox.recordings.finish('ent1');
    const jobs = await Promise.all([finish(), finish()]);
    const stored = await onlyJob(outbox);
    expect(jobs).toEqual([stored, stored]);
  });

  it('O1.4 more than ten pieces stay in the order in which they were recorded', async () => {
    const outbox = await openTestOutbox();
    const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at));
    await record(outbox, letters);
    await outbox.recordings.finish('ent1');
    expect(textOf(await outbox.queue.readBytes(await onlyJob(outbox)))).toBe(letters.join(''));
  });

  it('O1.4 a recording that cannot become a job keeps its pieces', async () => {
    const outbox = await openTestOutbox();
    await record(outbox, ['a'], { ...recording, contentType: 'video/mp4' });
    await expect(outbox.recordings.finish('ent1')).rejects.toThrow('Not a type of recording');
    expect(await outbox.recordings.list()).toHaveLength(1);
    expect(await outbox.queue.list()).toEqual([]);
  });

  it('nothing was recorded: there is no job; discarded, there is nothing at all', async () => {
    const outbox = await openTestOutbox();
    await record(outbox, []);
    expect(await outbox.recordings.finish('ent1')).toBeNull();
    await record(outbox, ['a', 'b']);
    await outbox.recordings.discard('ent1');
    expect(await outbox.recordings.finish('ent1')).toBeNull();
    expect(await outbox.queue.list()).toEqual([]);
  });

  it('O2.8 one whose name another recording has here takes a free one, and can be stored', async () => {
    const { recordings, caches } = await openTestOutbox();
    const objectName = 'pets/pet1/audios/voice-note-7.webm';
    const contentType = 'audio/webm';
    await caches.keepRecording('other', objectName, {
      bytes: bytesOf('other'),
      contentType,
      md5: 'o',
    });
    const sound = { recording, durationMs: 500, stage: 'uploading', objectName } as const;
    const taken = await recordings.plan({ ...sound, bytes: bytesOf('own') });
    expect(taken.job.objectName).not.toBe(objectName);
    const own = { ...recording, id: 'other' };
    const known = await recordings.plan({ ...sound, recording: own, bytes: bytesOf('again') });
    expect(known.job.objectName).toBe(objectName);
  });

  it('two that run at once do not mix', async () => {
    const outbox = await openTestOutbox();
    await record(outbox, ['one']);
    await record(outbox, ['other'], { ...recording, id: 'ent10' });
    const one = await outbox.recordings.finish('ent1');
    const other = await outbox.recordings.finish('ent10');
    expect(one && textOf(await outbox.queue.readBytes(one))).toBe('one');
    expect(other && textOf(await outbox.queue.readBytes(other))).toBe('other');
    expect(one?.objectName).not.toBe(other?.objectName);
  });
});
