import { describe, expect, it } from 'vitest';
import { entryDeletedCode, type OutboxJob } from '../../schemas/local/outbox-job.ts';
import {
  bytesOf,
  onlyJob,
  openTestOutbox,
  textOf,
} from '../../tests/support/setups/test-outbox.ts';
import type { Outbox } from './outbox.ts';
import { deletedRecordingKeptMs, goneMark } from './voice-note-files.ts';

const startedAtMs = 1_000;
const nameOf = (petId: string, ms = startedAtMs): string =>
  `pets/${petId}/audios/voice-note-${ms}.webm`;

const audio = {
  entryId: 'e1',
  petId: 'p1',
  objectName: nameOf('p1'),
  contentType: 'audio/webm',
};

/** Records a voice note, and moves its job to a state. */
async function jobOf(
  outbox: Outbox,
  id: string,
  changes: Partial<OutboxJob> = {},
): Promise<OutboxJob> {
  await outbox.recordings.begin({ id, petId: 'p1', contentType: 'audio/webm', startedAtMs });
  const piece = { recordingId: id, index: 0, bytes: bytesOf(`sound of ${id}`), untilMs: 500 };
  await outbox.recordings.append(piece);
  const job = await outbox.recordings.finish(id);
  const moved = job && (await outbox.queue.move(job, { stage: 'queued', ...changes }));
  if (moved === null) throw new Error('There is no job.');
  return moved;
}

const soundOf = async (outbox: Outbox, job: OutboxJob): Promise<string | null> =>
  textOf(await outbox.queue.readBytes(job));

describe('the request for a transcript', () => {
  it('is a job without bytes, since the server has the recording', async () => {
    const outbox = await openTestOutbox({ now: () => 7, newId: () => 'token' });
    await outbox.voiceNotes.requestTranscript(audio);
    expect(await onlyJob(outbox)).toEqual({
      ...audio,
      id: 'voice-note:e1',
      kind: 'voice-note',
      stage: 'transcribing',
      token: 'token',
      byteLength: 0,
      md5: '',
      createdAtMs: 7,
      attempts: 0,
      nextAttemptAtMs: 0,
      code: null,
    });
  });

  it('names the transcript that it is to replace', async () => {
    const outbox = await openTestOutbox();
    await outbox.voiceNotes.requestTranscript({ ...audio, replacesStamp: 4 });
    expect((await onlyJob(outbox)).replacesStamp).toBe(4);
  });

  it.each(['failed', 'transcribing', 'done'] as const)(
    'begins a job in stage %s anew, under another token',
    async (stage) => {
      const outbox = await openTestOutbox();
      const code = 'words-http-500';
      const job = await jobOf(outbox, 'e1', { stage, attempts: 3, code, replacesStamp: 4 });
      await outbox.voiceNotes.requestTranscript(audio);
      const again = await onlyJob(outbox);
      expect(again).toMatchObject({ stage: 'transcribing', attempts: 0, code: null });
      expect(again.token).not.toBe(job.token);
      expect(again).not.toHaveProperty('replacesStamp');
      expect(again.byteLength).toBe(job.byteLength);
      await outbox.voiceNotes.requestTranscript({ ...audio, replacesStamp: 9 });
      expect((await onlyJob(outbox)).replacesStamp).toBe(9);
    },
  );

  it.each(['recorded', 'queued', 'uploading', 'uploaded'] as const)(
    'lets a job in stage %s go on, which requests its own, and tells it what to replace',
    async (stage) => {
      const outbox = await openTestOutbox();
      const job = await jobOf(outbox, 'e1', { stage, attempts: 3, code: 'x' });
      await outbox.voiceNotes.requestTranscript(audio);
      expect(await onlyJob(outbox)).toEqual(job);
      await outbox.voiceNotes.requestTranscript({ ...audio, replacesStamp: 9 });
      expect(await onlyJob(outbox)).toEqual({ ...job, replacesStamp: 9 });
    },
  );

  it('uploads a recording before that was refused, unless it has arrived after all', async () => {
    const outbox = await openTestOutbox();
    const job = await jobOf(outbox, 'e1', { stage: 'failed', attempts: 3, code: 'http-402' });
    await outbox.voiceNotes.requestTranscript({ ...audio, replacesStamp: 9 });
    expect(await onlyJob(outbox)).toEqual({
      ...job,
      stage: 'uploading',
      attempts: 0,
      code: null,
      replacesStamp: 9,
    });
  });
});

describe('a recording whose entry moves to another pet', () => {
  it('gets a name in the folder of that pet, and is uploaded there', async () => {
    const outbox = await openTestOutbox();
    const job = await jobOf(outbox, 'e1', { stage: 'uploading', attempts: 2, code: 'x' });
    await outbox.voiceNotes.rehome(job, { entryId: 'e1', petId: 'p2' });
    const moved = await onlyJob(outbox);
    expect(moved).toMatchObject({
      id: 'voice-note:e1',
      petId: 'p2',
      objectName: nameOf('p2'),
      stage: 'queued',
      attempts: 0,
      code: null,
    });
    expect(await soundOf(outbox, moved)).toBe('sound of e1');
    expect(await outbox.caches.recording(job.objectName)).toBeNull();
  });

  it('gets another entry’s id, and the old job ends', async () => {
    const outbox = await openTestOutbox();
    const job = await jobOf(outbox, 'e1');
    await outbox.voiceNotes.rehome(job, { entryId: 'e2', petId: 'p2' });
    expect(await onlyJob(outbox)).toMatchObject({ id: 'voice-note:e2', entryId: 'e2' });
  });

  it('stays where it is as well, if it is a copy', async () => {
    const outbox = await openTestOutbox();
    const job = await jobOf(outbox, 'e1');
    await outbox.voiceNotes.rehome(job, { entryId: 'e2', petId: 'p2', isCopy: true });
    const jobs = await outbox.queue.list();
    expect(jobs.map(({ id }) => id).toSorted()).toEqual(['voice-note:e1', 'voice-note:e2']);
    for (const each of jobs) expect(await soundOf(outbox, each)).toBe('sound of e1');
  });

  it('keeps its name if the pet is the same, and looks whether an upload had arrived', async () => {
    const outbox = await openTestOutbox();
    const untouched = await jobOf(outbox, 'e1');
    await outbox.voiceNotes.rehome(untouched, { entryId: 'e2', petId: 'p1' });
    const queued = await onlyJob(outbox);
    expect(queued).toMatchObject({ objectName: nameOf('p1'), stage: 'queued' });
    const begun = await outbox.queue.move(queued, { stage: 'uploading' });
    if (begun) await outbox.voiceNotes.rehome(begun, { entryId: 'e3', petId: 'p1' });
    const uploading = await onlyJob(outbox);
    expect(uploading).toMatchObject({ id: 'voice-note:e3', stage: 'uploading' });
    expect(await soundOf(outbox, uploading)).toBe('sound of e1');
  });

  it('without bytes on this device keeps the file that the server has', async () => {
    const outbox = await openTestOutbox();
    await outbox.voiceNotes.requestTranscript(audio);
    await outbox.voiceNotes.rehome(await onlyJob(outbox), { entryId: 'e2', petId: 'p1' });
    expect(await onlyJob(outbox)).toMatchObject({
      id: 'voice-note:e2',
      objectName: nameOf('p1'),
      stage: 'uploaded',
    });
  });

  it.each([{}, goneMark(0)])(
    'without bytes on this device cannot move to the folder of another pet, and is at its end: %o',
    async (mark) => {
      const outbox = await openTestOutbox();
      await outbox.voiceNotes.requestTranscript(audio);
      const job = await outbox.queue.move(await onlyJob(outbox), mark);
      if (job === null) throw new Error('There is no job.');
      const home = { entryId: 'e2', petId: 'p2' };
      await outbox.voiceNotes.rehome(job, { ...home, isCopy: true });
      expect(await onlyJob(outbox)).toEqual(job);
      await outbox.voiceNotes.rehome(job, home);
      expect(await outbox.queue.list()).toEqual([]);
    },
  );

  it('without bytes on this device stays if its entry does not refer to it', async () => {
    const outbox = await openTestOutbox();
    await outbox.voiceNotes.requestTranscript(audio);
    const job = await outbox.queue.move(await onlyJob(outbox), { stage: 'uploading' });
    if (job !== null) await outbox.voiceNotes.rehome(job, { entryId: 'e2', petId: 'p2' });
    expect(await onlyJob(outbox)).toEqual(job);
  });

  it('leaves a job that was replaced meanwhile, and makes none of the other writes', async () => {
    const outbox = await openTestOutbox();
    const job = await jobOf(outbox, 'e1');
    const recording = { id: 'e9', petId: 'p1', contentType: 'audio/webm', startedAtMs };
    await outbox.recordings.begin(recording);
    const home = { entryId: 'e2', petId: 'p2' };
    await outbox.voiceNotes.rehome({ ...job, token: 'older' }, home, { recordings: ['e9'] });
    expect(await onlyJob(outbox)).toEqual(job);
    expect(await outbox.recordings.list()).toHaveLength(1);
  });

  it('leaves an entry that has a waiting recording of its own', async () => {
    const outbox = await openTestOutbox();
    const [job, own] = [await jobOf(outbox, 'e1'), await jobOf(outbox, 'e2')];
    await outbox.voiceNotes.rehome(job, { entryId: 'e2', petId: 'p1' });
    expect(await outbox.queue.get(job.id)).toEqual(job);
    expect(await outbox.queue.get(own.id)).toEqual(own);
  });

  it('takes the place of a recording that was uploaded before', async () => {
    const outbox = await openTestOutbox();
    const job = await jobOf(outbox, 'e1');
    await jobOf(outbox, 'e2', { stage: 'done' });
    await outbox.voiceNotes.rehome(job, { entryId: 'e2', petId: 'p2' });
    expect(await soundOf(outbox, await onlyJob(outbox))).toBe('sound of e1');
  });
});

describe('a cached recording that the server may have lost', () => {
  const cached = { bytes: bytesOf('cached'), contentType: 'audio/webm', md5: 'm' };
  const info = { id: nameOf('p1'), documentId: 'e1' };

  it('is uploaded if the server lacks it', async () => {
    const outbox = await openTestOutbox();
    await outbox.caches.keepRecording('e1', nameOf('p1'), cached);
    await outbox.voiceNotes.requeue(info, { nextAttemptAtMs: 9 });
    const job = await onlyJob(outbox);
    expect(job).toMatchObject({
      id: 'voice-note:e1',
      petId: 'p1',
      objectName: nameOf('p1'),
      stage: 'uploading',
      byteLength: 6,
      nextAttemptAtMs: 9,
    });
    expect(await soundOf(outbox, job)).toBe('cached');
  });

  it('continues a job that had ended with it', async () => {
    const outbox = await openTestOutbox();
    await outbox.caches.keepRecording('e1', nameOf('p1'), cached);
    await outbox.voiceNotes.requestTranscript({ ...audio, replacesStamp: 4 });
    await outbox.voiceNotes.requeue(info, {});
    expect(await onlyJob(outbox)).toMatchObject({
      stage: 'uploading',
      replacesStamp: 4,
      byteLength: 6,
    });
  });

  it('is left if its bytes are gone', async () => {
    const outbox = await openTestOutbox();
    await outbox.voiceNotes.requeue(info, {});
    expect(await outbox.queue.list()).toEqual([]);
  });

  it('is left if the entry has a waiting recording, or was deleted', async () => {
    const outbox = await openTestOutbox();
    const waiting = await jobOf(outbox, 'e1');
    await outbox.voiceNotes.requeue(info, {});
    expect(await onlyJob(outbox)).toEqual(waiting);
    const gone = { stage: 'done', ...goneMark(0) } as const;
    const deleted = await outbox.queue.move(waiting, gone);
    await outbox.voiceNotes.requeue(info, {});
    expect(await onlyJob(outbox)).toEqual(deleted);
  });
});

describe('a recording without an entry', () => {
  it('is offered to its owner like an interrupted one', async () => {
    const outbox = await openTestOutbox();
    const job = await jobOf(outbox, 'e1', { code: 'x', nextAttemptAtMs: 9 });
    await outbox.voiceNotes.offer(job);
    const offered = await onlyJob(outbox);
    expect(offered).toMatchObject({
      stage: 'recorded',
      attempts: 0,
      nextAttemptAtMs: 0,
      code: null,
    });
    expect(await soundOf(outbox, offered)).toBe('sound of e1');
  });

  it('remembers that the server may have it', async () => {
    const outbox = await openTestOutbox();
    const job = await jobOf(outbox, 'e1', { stage: 'uploading', attempts: 5 });
    await outbox.voiceNotes.offer(job);
    expect(await onlyJob(outbox)).toMatchObject({ stage: 'recorded', attempts: 1 });
  });

  it('and without bytes is no recording any more', async () => {
    const outbox = await openTestOutbox();
    await outbox.voiceNotes.requestTranscript(audio);
    await outbox.voiceNotes.offer(await onlyJob(outbox));
    expect(await outbox.queue.list()).toEqual([]);
  });
});

describe('a recording whose name another one has on the server', () => {
  it('gets the next free name, and its bytes move with it', async () => {
    const outbox = await openTestOutbox();
    const job = await jobOf(outbox, 'e1');
    await outbox.voiceNotes.rename(job);
    const renamed = await onlyJob(outbox);
    expect(renamed).toEqual({ ...job, objectName: nameOf('p1', startedAtMs + 1) });
    expect(await soundOf(outbox, renamed)).toBe('sound of e1');
    expect(await outbox.caches.recording(job.objectName)).toBeNull();
  });

  it('gets it also if its bytes are gone', async () => {
    const outbox = await openTestOutbox();
    await outbox.voiceNotes.requestTranscript(audio);
    await outbox.voiceNotes.rename(await onlyJob(outbox));
    expect((await onlyJob(outbox)).objectName).toBe(nameOf('p1', startedAtMs + 1));
  });

  it('is left if the job has ended, was replaced or was renamed meanwhile', async () => {
    const outbox = await openTestOutbox();
    const job = await jobOf(outbox, 'e1');
    await outbox.voiceNotes.rename({ ...job, token: 'older' });
    await outbox.voiceNotes.rename({ ...job, objectName: nameOf('p9') });
    expect(await onlyJob(outbox)).toEqual(job);
    await outbox.queue.end(job);
    await outbox.voiceNotes.rename(job);
    expect(await outbox.queue.list()).toEqual([]);
  });
});

describe('a recording that is uploaded again to the folder of its pet', () => {
  it('has a name there, with the time of the previous one', async () => {
    const outbox = await openTestOutbox();
    const foreign = { ...audio, petId: 'p2', objectName: nameOf('p1', 3_000) };
    await outbox.voiceNotes.sendAgain(foreign, bytesOf('again'), { recordings: [] });
    const job = await onlyJob(outbox);
    expect(job).toMatchObject({
      id: 'voice-note:e1',
      petId: 'p2',
      objectName: nameOf('p2', 3_000),
      stage: 'queued',
      byteLength: 5,
    });
    expect(await soundOf(outbox, job)).toBe('again');
  });

  it('takes the place of an earlier job, and is stored with the other writes', async () => {
    const outbox = await openTestOutbox();
    await jobOf(outbox, 'e1', { stage: 'done' });
    await outbox.recordings.begin({
      id: 'e9',
      petId: 'p1',
      contentType: 'audio/webm',
      startedAtMs,
    });
    await outbox.voiceNotes.sendAgain(audio, bytesOf('again'), { recordings: ['e9'] });
    expect(await soundOf(outbox, await onlyJob(outbox))).toBe('again');
    expect(await outbox.recordings.list()).toEqual([]);
  });
});

it('the recording of a deleted entry is kept for a day', () => {
  expect(goneMark(1_000)).toEqual({
    nextAttemptAtMs: 1_000 + deletedRecordingKeptMs,
    code: entryDeletedCode,
  });
  expect(deletedRecordingKeptMs).toBe(24 * 60 * 60 * 1_000);
});
