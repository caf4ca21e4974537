import { describe, expect, it } from 'vitest';
import { setUpFiles } from '../../../tests/support/setups/files-setup.ts';
import { bytesOf, onlyJob, textOf } from '../../../tests/support/setups/test-outbox.ts';

describe('a sound that was given', () => {
  const given = {
    id: 'given',
    contentType: 'audio/mpeg',
    durationMs: 3_000,
    waveform: '0f',
    startedAtMs: 7_000,
  };

  it('is a voice note like any other, of the time it was given', async () => {
    const { files, database, outbox, petId } = await setUpFiles();
    await files.voice.importRecording({ ...given, petId, bytes: bytesOf('song') });
    const entry = await database.journal_entries.findOne('given').exec();
    expect(entry?.toMutableJSON()).toMatchObject({
      petId,
      fields: {
        type: 'voice-note',
        contentType: 'audio/mpeg',
        createdDate: 7_000,
        durationMs: 3_000,
        waveform: '0f',
      },
      pending: 1,
    });
    const job = await onlyJob(outbox);
    expect(job).toMatchObject({ stage: 'queued', entryId: 'given' });
    expect(job.objectName).toMatch(/^pets\/.+\/audios\/voice-note-[0-9]{1,16}\.mp3$/);
    expect(textOf((await outbox.queue.readBytes(job)) ?? undefined)).toBe('song');
  });

  it('becomes one voice note, however often it is given', async () => {
    const { files, database, outbox, petId } = await setUpFiles();
    const sound = { ...given, petId, bytes: bytesOf('song') };
    await files.voice.importRecording(sound);
    const { token } = await onlyJob(outbox);
    await files.voice.importRecording(sound);
    expect(await database.journal_entries.count().exec()).toBe(1);
    expect((await onlyJob(outbox)).token).toBe(token);
    await outbox.queue.end(await onlyJob(outbox));
    await files.voice.importRecording(sound);
    expect(await outbox.queue.list()).toEqual([]);
  });

  it('has a name of its own beside another of the same millisecond', async () => {
    const { files, outbox, petId } = await setUpFiles();
    await files.voice.importRecording({ ...given, petId, bytes: bytesOf('song') });
    await files.voice.importRecording({ ...given, id: 'second', petId, bytes: bytesOf('refrain') });
    const jobs = await outbox.queue.list();
    expect(jobs.map(({ objectName }) => objectName)).toEqual([
      `pets/${petId}/audios/voice-note-7000.mp3`,
      `pets/${petId}/audios/voice-note-7001.mp3`,
    ]);
    const stored = await Promise.all(jobs.map(async (job) => outbox.queue.readBytes(job)));
    expect(stored.map((bytes) => textOf(bytes ?? undefined))).toEqual(['song', 'refrain']);
  });

  it('has a name of its own beside its copy, which was shared with it', async () => {
    const { files, outbox, petId } = await setUpFiles();
    await files.voice.importRecording({ ...given, petId, bytes: bytesOf('song') });
    await files.voice.importRecording({ ...given, id: 'second', petId, bytes: bytesOf('song') });
    const names = (await outbox.queue.list()).map(({ objectName }) => objectName);
    expect(new Set(names).size).toBe(2);
  });

  it('is refused if other devices could not play its type', async () => {
    const { files, petId, outbox } = await setUpFiles();
    const sound = { ...given, petId, contentType: 'audio/amr', bytes: bytesOf('song') };
    await expect(files.voice.importRecording(sound)).rejects.toMatchObject({ code: 'invalid' });
    expect(await outbox.queue.list()).toEqual([]);
  });
});
