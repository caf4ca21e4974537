import { describe, expect, it, vi } from 'vitest';
import { recordingNotAssembled } from '../../../schemas/copy/recording-copy.ts';
import { deferred } from '../../../tests/support/fakes/fake-data.ts';
import { expectLive } from '../../../tests/support/setups/data-setup.ts';
import { voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import { fetched, setUpFiles } from '../../../tests/support/setups/files-setup.ts';
import { bytesOf, onlyJob, putJob, textOf } from '../../../tests/support/setups/test-outbox.ts';
import { recoverRecordings } from './outbox-voice.ts';

const contentType = 'audio/webm';
const path = 'pets/pet/audios/voice-note-1.webm';
const never = new AbortController().signal;

async function setUp() {
  const kit = await setUpFiles();
  const { voice } = kit.files;
  const record = async () => {
    const recording = await voice.begin({ petId: kit.petId, contentType });
    await recording.append(bytesOf('sound'), 4_000);
    await recording.finish(4_000);
    return recording.id;
  };
  const sendPet = async () => {
    const pet = await kit.database.pets.findOne(kit.petId).exec();
    await pet?.incrementalPatch({ pending: 0, seq: 1 });
  };
  return { ...kit, voice, record, sendPet };
}

type Kit = Awaited<ReturnType<typeof setUp>>;

const spoken = { id: 'e1', petId: 'pet', fields: { fileLocation: path } };
const notChanged = 'This could not be stored on your device. Free some space and try again.';
const notRead = 'This device could not read the recording. Reload and try again.';
const notHeardYet = 'Its text could not be made now. It follows by itself.';

describe('a database that fails', () => {
  it.each<[string, string, (voice: Kit['voice']) => Promise<unknown>]>([
    ['keep a recording', notChanged, (voice) => voice.keep('e1')],
    ['discard a recording', notChanged, (voice) => voice.discard('e1')],
    ['play a recording', notRead, (voice) => voice.open(spoken)],
    ['request a transcript', notHeardYet, (voice) => voice.transcribeNow('e1', never)],
  ])('is told to an owner who wants to %s', async (_, message, command) => {
    const { voice, outbox } = await setUp();
    for (const name of ['get', 'ofEntry', 'readBytes'] as const)
      vi.spyOn(outbox.queue, name).mockRejectedValue(new Error('AbortError'));
    const told = { name: 'CommandError', code: 'storage', message };
    await expect(command(voice)).rejects.toMatchObject(told);
  });

  it('is told to an owner who records, at each step', async () => {
    const { voice, outbox, petId } = await setUp();
    const recording = await voice.begin({ petId, contentType });
    for (const name of ['append', 'finish', 'discard'] as const)
      vi.spyOn(outbox.recordings, name).mockRejectedValue(new Error('QuotaExceededError'));
    await expect(recording.append(bytesOf('x'), 500)).rejects.toThrow(
      'Your device has no room for a recording. Free some space and try again;',
    );
    await expect(recording.finish(500)).rejects.toMatchObject({ message: recordingNotAssembled });
    await expect(recording.discard()).rejects.toThrow(notChanged);
  });

  it('releases the lock of a recording that it cannot discard', async () => {
    const { voice, outbox, record, heldIds } = await setUp();
    const id = await record();
    vi.spyOn(outbox.recordings, 'discard').mockRejectedValueOnce(new Error('AbortError'));
    await expect(voice.discard(id)).rejects.toThrow(notChanged);
    expect(heldIds.size).toBe(0);
  });

  it('lets a recording be kept or discarded by the session that the page opens after it, with its lock released', async () => {
    const { record, reopen, heldIds } = await setUp();
    const ids = [await record(), await record()] as const;
    const { files } = reopen();
    await files.ready;
    await files.voice.keep(ids[0]);
    expect([...heldIds]).toEqual([ids[1]]);
    await files.voice.discard(ids[1]);
    expect(heldIds.size).toBe(0);
    await files.close();
  });

  it('lets a recording that the session before gives up be offered at once', async () => {
    const { voice, record, reopen } = await setUp();
    const id = await record();
    const { files } = reopen();
    await files.ready;
    const live = files.voice.recovered();
    const stop = live.subscribe(() => undefined);
    await vi.waitFor(() => expect(live.getSnapshot()).toEqual([]));
    voice.letGo(id);
    await vi.waitFor(() => expect(live.getSnapshot()).toHaveLength(1));
    stop();
    await files.close();
  });

  it('lets a recording that it cannot assemble be assembled later, without a reload', async () => {
    const { voice, outbox, petId } = await setUp();
    const recording = await voice.begin({ petId, contentType });
    await recording.append(bytesOf('sound'), 4_000);
    vi.spyOn(outbox.recordings, 'finish').mockRejectedValueOnce(new Error('QuotaExceededError'));
    await expect(recording.finish(4_000)).rejects.toMatchObject({ message: recordingNotAssembled });
    expect(await voice.recover()).toBe(0);
    await expectLive(voice.recovered(), (jobs) =>
      expect(jobs.map(({ entryId }) => entryId)).toEqual([recording.id]),
    );
  });

  it('lets a recording that it cannot keep be offered at once, when its screen gives it up', async () => {
    const { voice, outbox, record } = await setUp();
    const id = await record();
    vi.spyOn(outbox.queue, 'readBytes').mockRejectedValueOnce(new Error('QuotaExceededError'));
    await expect(voice.keep(id)).rejects.toThrow(notChanged);
    const offered: (string | null)[][] = [];
    const live = voice.recovered();
    const stop = live.subscribe(() =>
      offered.push((live.getSnapshot() ?? []).map(({ entryId }) => entryId)),
    );
    await vi.waitFor(() => expect(offered.at(-1)).toEqual([]));
    voice.letGo(id);
    await vi.waitFor(() => expect(offered.at(-1)).toEqual([id]));
    await voice.keep(id);
    await vi.waitFor(() => expect(offered.at(-1)).toEqual([]));
    stop();
  });

  it('does not keep a recording from being played', async () => {
    const { voice, outbox, server } = await setUp();
    const { caches } = outbox;
    const full = new Error('QuotaExceededError');
    vi.spyOn(caches, 'keepRecording').mockRejectedValueOnce(full);
    const use = vi.spyOn(caches, 'use').mockRejectedValueOnce(full);
    server.set(path, fetched('there'));
    const contentOf = async () => textOf((await voice.open(spoken)).bytes);
    expect(await contentOf()).toBe('there');
    await caches.keepRecording('e1', path, fetched('cached'));
    expect(await contentOf()).toBe('cached');
    expect(use).toHaveBeenCalledExactlyOnceWith(path);
  });

  it('for one recording that was cut off does not keep the others from being restored', async () => {
    const { outbox, petId } = await setUp();
    for (const id of ['first', 'second']) {
      await outbox.recordings.begin({ id, petId, contentType, startedAtMs: 1 });
      await outbox.recordings.append({ recordingId: id, index: 0, bytes: bytesOf(id), untilMs: 9 });
    }
    vi.spyOn(outbox.recordings, 'finish').mockRejectedValueOnce(new Error('AbortError'));
    const hold = () => Promise.reject(new Error('nothing is held here'));
    await recoverRecordings({ outbox, locks: { hold, held: async () => new Set() } });
    expect(await onlyJob(outbox)).toMatchObject({ entryId: 'second' });
  });
});

describe('a recording that is not there', () => {
  const gone = { code: 'not-found', message: 'This recording is not waiting any more' };

  it('is neither kept nor transcribed', async () => {
    const { voice } = await setUp();
    await expect(voice.keep('e1')).rejects.toMatchObject(gone);
    await expect(voice.transcribeNow('e1', never)).rejects.toMatchObject(gone);
  });

  it('is not on the server yet, or not any more', async () => {
    const { voice } = await setUp();
    await expect(voice.open({ ...spoken, fields: {} })).rejects.toMatchObject({
      code: 'not-found',
      message:
        'The recording is not on the server yet. The device that made it may have it, or an export from there.',
    });
    await expect(voice.open(spoken)).rejects.toMatchObject({
      code: 'not-found',
      message: 'The recording is not on the server any more.',
    });
  });

  it('has no work', async () => {
    const { voice, record } = await setUp();
    await record();
    await expectLive(voice.work('e1'), (work) => expect(work).toEqual({ job: null }));
  });
});

describe('a type that other devices cannot play', () => {
  it('is refused with a sentence', async () => {
    const { voice, petId } = await setUp();
    const refused = { message: 'This is a kind of sound that other devices could not play.' };
    const begun = voice.begin({ petId, contentType: 'audio/x-unknown' });
    await expect(begun).rejects.toMatchObject(refused);
  });
});

describe('a recording', () => {
  it('is joined from its pieces in order, and its lock is released when it is kept', async () => {
    const { voice, outbox, petId, heldIds } = await setUp();
    const recording = await voice.begin({ petId, contentType });
    for (const text of ['one ', 'two ', 'three']) await recording.append(bytesOf(text), 500);
    await recording.finish(1_500);
    const job = await onlyJob(outbox);
    expect(textOf(await outbox.queue.readBytes(job))).toBe('one two three');
    expect(heldIds.size).toBe(1);
    await voice.keep(recording.id);
    expect(heldIds.size).toBe(0);
  });

  it('stays, and its lock is released, when it is discarded after its entry was written', async () => {
    const { voice, record, outbox, commands, petId, heldIds } = await setUp();
    const id = await record();
    const note = { id, petId, contentType, durationMs: 1, createdDate: 1 };
    await commands.addVoiceNote(note, async () => ({}));
    await voice.discard(id);
    expect(heldIds.size).toBe(0);
    expect(await onlyJob(outbox)).toMatchObject({ stage: 'recorded' });
  });

  it('is kept without a waveform if this device cannot read its sound, or has lost it', async () => {
    const { voice, record, outbox, database, drawWaveform } = await setUp();
    drawWaveform.mockResolvedValueOnce(null);
    const unreadable = await record();
    await voice.keep(unreadable);
    const lost = await record();
    vi.spyOn(outbox.queue, 'readBytes').mockResolvedValueOnce(null);
    await voice.keep(lost);
    for (const id of [unreadable, lost]) {
      const row = await database.journal_entries.findOne(id).exec();
      expect(row?.fields).toMatchObject({ type: 'voice-note' });
      expect(row?.fields).not.toHaveProperty('waveform');
    }
  });

  it('is kept without a waveform although the decoder of the browser never answers', async () => {
    const { voice, record, database, drawWaveform, clock } = await setUp();
    drawWaveform.mockReturnValueOnce(new Promise(() => undefined));
    const id = await record();
    const kept = voice.keep(id);
    await vi.waitFor(() => expect(drawWaveform).toHaveBeenCalled());
    await clock.advance(5_000);
    await kept;
    const row = await database.journal_entries.findOne(id).exec();
    expect(row?.fields).not.toHaveProperty('waveform');
  });

  it('is stored before the files of its session are closed', async () => {
    const { files, voice, record, database, drawWaveform } = await setUp();
    const drawn = deferred<string>();
    drawWaveform.mockReturnValueOnce(drawn.promise);
    const id = await record();
    const kept = voice.keep(id);
    const isStored = async () => (await database.journal_entries.findOne(id).exec()) !== null;
    const storedAtClose = files.close().then(isStored);
    drawn.resolve('0f');
    expect(await storedAtClose).toBe(true);
    await kept;
  });

  it('is told to sync when it is discarded after its upload began, and not before', async () => {
    const { voice, record, onWritten, sendPet, hear } = await setUp();
    await sendPet();
    hear.mockRejectedValue(new Error('cancelled'));
    const untouched = await record();
    const begun = await record();
    await expect(voice.transcribeNow(begun, never)).rejects.toThrow(notHeardYet);
    onWritten.mockClear();
    await voice.discard(untouched);
    expect(onWritten).not.toHaveBeenCalled();
    await voice.discard(begun);
    expect(onWritten).toHaveBeenCalledOnce();
  });

  it('is not sent for its transcript while its dog is not on the server, or without its bytes', async () => {
    const { voice, record, outbox, sendPet, hear } = await setUp();
    const id = await record();
    await expect(voice.transcribeNow(id, never)).rejects.toThrow(notHeardYet);
    await sendPet();
    vi.spyOn(outbox.queue, 'readBytes').mockResolvedValueOnce(null);
    await expect(voice.transcribeNow(id, never)).rejects.toThrow(notHeardYet);
    expect(hear).not.toHaveBeenCalled();
    expect(await onlyJob(outbox)).toMatchObject({ attempts: 0 });
  });
});

describe('a transcript that is requested again', () => {
  it('is of the type of its entry, and replaces a text that it has or not', async () => {
    const { voice, outbox, commands, petId, onWritten } = await setUp();
    const note = { petId, durationMs: 1, createdDate: 1 };
    for (const id of ['e1', 'e2'])
      await commands.addVoiceNote({ ...note, id, contentType: 'audio/mp4' }, async () => ({}));
    onWritten.mockClear();
    await voice.retranscribe({ ...spoken, petId });
    const fields = { fileLocation: path, contentType: 'audio/mp4' };
    await voice.retranscribe({ id: 'e2', petId, fields });
    const jobs = await outbox.queue.list();
    expect(new Map(jobs.map((job) => [job.entryId, job.contentType]))).toEqual(
      new Map([
        ['e1', 'audio/webm'],
        ['e2', 'audio/mp4'],
      ]),
    );
    expect(jobs.map(({ replacesStamp }) => replacesStamp)).toEqual([0, 0]);
    expect(onWritten).toHaveBeenCalledTimes(2);
  });

  it('is requested once for a recording without a job, and names no text to replace', async () => {
    const { voice, outbox, onWritten } = await setUp();
    onWritten.mockClear();
    await voice.requestText({ ...spoken, fields: {} });
    expect(await outbox.queue.list()).toEqual([]);
    expect(onWritten).not.toHaveBeenCalled();
    await voice.requestText(spoken);
    const job = await onlyJob(outbox);
    expect(job).toMatchObject({ entryId: 'e1', stage: 'transcribing', objectName: path });
    expect(job).not.toHaveProperty('replacesStamp');
    expect(onWritten).toHaveBeenCalledOnce();
    await voice.requestText(spoken);
    expect(await onlyJob(outbox)).toEqual(job);
  });

  it('waits for an engine if the server has none', async () => {
    const { voice, store } = await setUp();
    await putJob(store, voiceJob('e1'), bytesOf('x'));
    await expectLive(voice.hasNoEngine(), (hasNone) => expect(hasNone).toBe(false));
    await putJob(store, voiceJob('e1', { code: 'words-no-engine' }), bytesOf('x'));
    await putJob(store, voiceJob('e2'), bytesOf('x'));
    await expectLive(voice.hasNoEngine(), (hasNone) => expect(hasNone).toBe(true));
  });
});
