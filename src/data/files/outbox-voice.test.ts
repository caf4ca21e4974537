import { describe, expect, it, vi } from 'vitest';
import { withEdit } from '../../../schemas/documents/document.ts';
import { voiceNoteJobId } from '../../../schemas/documents/voice-note.ts';
import { noteTextMaxLength } from '../../../schemas/limits.ts';
import { change, expectLive } from '../../../tests/support/setups/data-setup.ts';
import { fetched, setUpFiles } from '../../../tests/support/setups/files-setup.ts';
import { failWrite } from '../../../tests/support/fakes/failing-writes.ts';
import { placeOf } from '../../../store/rxdb/rx-storage.ts';
import { bytesOf, onlyJob, textOf } from '../../../tests/support/setups/test-outbox.ts';
import { recoverRecordings } from './outbox-voice.ts';

const contentType = 'audio/webm;codecs=opus';

async function setUp() {
  const kit = await setUpFiles();
  const { voice } = kit.files;
  const record = async (text = 'sound', petId = kit.petId) => {
    const recording = await voice.begin({ petId, contentType });
    await recording.append(bytesOf(text), 4_000);
    expect(await recording.finish(4_000)).toBe(true);
    return recording.id;
  };
  /** Returns the entry with its fields beside its other properties. */
  const entry = async (id: string) => {
    const row = (await kit.database.journal_entries.findOne(id).exec())?.toMutableJSON();
    return row && { ...row, ...row.fields };
  };
  return { ...kit, voice, record, entry };
}

describe('a voice note', () => {
  it('is bytes and job before it is an entry; kept, it is both, and sync hears of it', async () => {
    const { voice, record, entry, outbox, petId, onWritten } = await setUp();
    const id = await record();
    expect(await onlyJob(outbox)).toMatchObject({ stage: 'recorded', entryId: id });
    expect(await entry(id)).toBeUndefined();
    onWritten.mockClear();
    await voice.keep(id);
    expect(await entry(id)).toMatchObject({
      petId,
      type: 'voice-note',
      transcript: 'waiting',
      contentType,
      durationMs: 4_000,
      waveform: '0f',
      createdDate: (await onlyJob(outbox)).createdAtMs,
      pending: 1,
    });
    expect(await onlyJob(outbox)).toMatchObject({ stage: 'queued' });
    expect(onWritten).toHaveBeenCalledOnce();
    await expectLive(voice.work(id), ({ job }) => expect(job?.stage).toBe('queued'));
  });

  it('is stored with its known transcript, and then waits for none', async () => {
    const { voice, record, entry } = await setUp();
    const heard = await record();
    await voice.keep(heard, { text: ' went away ', transcript: 'done' });
    expect(await entry(heard)).toMatchObject({ text: 'went away', transcript: 'done' });
    const cleared = await record();
    await voice.keep(cleared, { text: '', transcript: 'edited' });
    expect(await entry(cleared)).not.toHaveProperty('text');
    const long = await record();
    const words = { text: 'x'.repeat(noteTextMaxLength + 1), transcript: 'edited' } as const;
    await expect(voice.keep(long, words)).rejects.toMatchObject({ code: 'invalid' });
    expect(await entry(long)).toBeUndefined();
  });

  it('is kept in one commit: entry and job are both there, or neither', async () => {
    const { voice, record, entry, outbox, database } = await setUp();
    const id = await record();
    failWrite(database, 0);
    await expect(voice.keep(id)).rejects.toMatchObject({ code: 'storage' });
    expect(await entry(id)).toBeUndefined();
    expect(await onlyJob(outbox)).toMatchObject({ stage: 'recorded' });
    const { database: opened } = placeOf(database.local);
    const begin = vi.spyOn(opened, 'transaction').mockClear();
    await voice.keep(id);
    const written = begin.mock.calls.filter(([, mode]) => mode === 'readwrite');
    expect(written.map(([stores]) => stores)).toEqual([['pets', 'journal_entries', 'local']]);
  });

  it('is kept once, however often it is asked for', async () => {
    const { voice, record, database } = await setUp();
    const id = await record();
    await Promise.all([voice.keep(id), voice.keep(id)]);
    expect(await database.journal_entries.count().exec()).toBe(1);
  });

  it('without any bytes is not kept', async () => {
    const { voice, petId, heldIds, outbox } = await setUp();
    const recording = await voice.begin({ petId, contentType });
    expect(heldIds).toContain(recording.id);
    expect(await recording.finish(2_000)).toBe(false);
    expect(heldIds.size).toBe(0);
    expect(await outbox.queue.list()).toEqual([]);
  });

  it('discarded leaves nothing, before and after it was finished', async () => {
    const { voice, petId, record, outbox, heldIds } = await setUp();
    const recording = await voice.begin({ petId, contentType });
    await recording.append(bytesOf('x'), 500);
    await recording.discard();
    await voice.discard(await record());
    expect(await outbox.queue.list()).toEqual([]);
    expect(await outbox.recordings.list()).toEqual([]);
    expect(await outbox.caches.recordings()).toEqual([]);
    expect(heldIds.size).toBe(0);
  });

  it('is not discarded with its recording once its entry is written', async () => {
    const { voice, record, outbox, commands, store } = await setUp();
    const id = await record();
    await voice.keep(id);
    await voice.discard(id);
    expect(await outbox.queue.list()).toHaveLength(1);
    await change(store, { collection: 'entries', id }, (entry) => ({ ...entry, pending: 2 }));
    await commands.discard('entries', id);
    await voice.discard(id);
    expect(await outbox.queue.list()).toEqual([]);
  });

  it('of a type that other devices cannot play is refused before it starts', async () => {
    const { voice, petId, heldIds } = await setUp();
    const begun = voice.begin({ petId, contentType: 'audio/x-unknown' });
    await expect(begun).rejects.toMatchObject({ code: 'invalid' });
    expect(heldIds.size).toBe(0);
  });

  it('is refused with a clear sentence when the device is full, and stored data stays', async () => {
    const { voice, petId, record, outbox, heldIds } = await setUp();
    const id = await record('kept');
    await voice.keep(id);
    vi.spyOn(outbox.recordings, 'begin').mockRejectedValue(new Error('QuotaExceededError'));
    await expect(voice.begin({ petId, contentType })).rejects.toThrow(
      'Your device has no room for a recording.',
    );
    expect(heldIds.size).toBe(0);
    expect(textOf(await outbox.queue.readBytes(await onlyJob(outbox)))).toBe('kept');
  });
});

it('the work of an entry is read again only when its own job changes', async () => {
  const { voice, outbox, record } = await setUp();
  const ids = [await record(), await record(), await record()];
  const works = ids.map((id) => voice.work(id));
  const stops = works.map((work) => work.subscribe(() => undefined));
  const seen = () => works.map((work) => work.getSnapshot()?.job?.attempts);
  await vi.waitFor(() => expect(seen()).toEqual([0, 0, 0]));
  const before = works.map((work) => work.getSnapshot());
  const job = await outbox.queue.get(voiceNoteJobId(ids[1] ?? ''));
  if (job === null) throw new Error('not there');
  await outbox.queue.move(job, { attempts: 1 });
  await vi.waitFor(() => expect(seen()).toEqual([0, 1, 0]));
  expect(works.map((work, at) => work.getSnapshot() === before[at])).toEqual([true, false, true]);
  for (const stop of stops) stop();
});

describe('a recording that was cut off', () => {
  it('is offered, unless a tab has it in its hands, and can be heard, kept and discarded', async () => {
    const { voice, outbox, heldIds, files, record, entry, petId } = await setUp();
    for (const id of ['dead', 'alive']) {
      await outbox.recordings.begin({ id, petId, contentType, startedAtMs: 1 });
      const chunk = { recordingId: id, index: 0, bytes: bytesOf(id), untilMs: 11_900 };
      await outbox.recordings.append(chunk);
    }
    heldIds.add('alive');
    // This tab holds the recording, and waits for its transcript.
    await record();
    const hold = () => Promise.reject(new Error('nothing is held here'));
    await recoverRecordings({ outbox, locks: { hold, held: async () => heldIds } });
    expect((await outbox.recordings.list()).map(({ id }) => id)).toEqual(['alive']);
    await expectLive(voice.recovered(), (jobs) =>
      expect(jobs.map(({ entryId, durationMs }) => [entryId, durationMs])).toEqual([
        ['dead', 11_900],
      ]),
    );
    await expectLive(files.jobs(), (jobs) => expect(jobs).toHaveLength(2));
    const [job] = (await outbox.queue.list()).filter(({ entryId }) => entryId === 'dead');
    if (job === undefined) throw new Error('not there');
    expect(textOf((await files.readFile(job.id)).bytes)).toBe('dead');
    await voice.keep('dead');
    expect(await entry('dead')).toMatchObject({ type: 'voice-note', durationMs: 11_900 });
    await expectLive(voice.recovered(), (jobs) => expect(jobs).toEqual([]));
  });

  it('is offered when its tab has died, once the owner returns to this one', async () => {
    const { voice, outbox, petId, returnToPage } = await setUp();
    await outbox.recordings.begin({ id: 'dead', petId, contentType, startedAtMs: 1 });
    const chunk = { recordingId: 'dead', index: 0, bytes: bytesOf('dead'), untilMs: 500 };
    await outbox.recordings.append(chunk);
    returnToPage();
    await expectLive(voice.recovered(), (jobs) =>
      expect(jobs.map(({ entryId }) => entryId)).toEqual(['dead']),
    );
  });

  it('is offered when the tab that held it has gone, once the owner returns to this one', async () => {
    const { voice, heldIds, record, returnToPage } = await setUp();
    const id = await record();
    const seen: number[] = [];
    const recovered = voice.recovered();
    const stop = recovered.subscribe(() => seen.push(recovered.getSnapshot()?.length ?? -1));
    await vi.waitFor(() => expect(seen.at(-1)).toBe(0));
    heldIds.delete(id);
    returnToPage();
    await vi.waitFor(() => expect(seen.at(-1)).toBe(1));
    stop();
  });

  it('is not offered when its entry was written before the crash', async () => {
    const { voice, outbox, heldIds, record, commands, petId } = await setUp();
    const id = await record();
    const note = { id, petId, contentType, durationMs: 1, createdDate: 1 };
    await commands.addVoiceNote(note, async () => ({}));
    heldIds.clear();
    await expectLive(voice.recovered(), (jobs) => expect(jobs).toEqual([]));
    expect(await onlyJob(outbox)).toMatchObject({ stage: 'recorded' });
  });
});

describe('the sound of an entry', () => {
  const location = 'pets/p/audios/voice-note-1.webm';

  it('comes from the bytes on this device, then from the cache, then from the server', async () => {
    const { voice, record, outbox, server, download, petId } = await setUp();
    const id = await record('here');
    await voice.keep(id);
    expect(await voice.open({ id, petId, fields: {} })).toEqual({
      bytes: bytesOf('here'),
      contentType,
    });
    server.set(location, { ...fetched('there'), contentType: 'audio/webm' });
    const fields = { fileLocation: location, contentType };
    const elsewhere = { id: 'other', petId, fields };
    expect(await voice.open(elsewhere)).toEqual({ bytes: bytesOf('there'), contentType });
    expect(textOf((await voice.open(elsewhere)).bytes)).toBe('there');
    expect(download).toHaveBeenCalledOnce();
    expect(textOf((await outbox.caches.recording(location))?.bytes)).toBe('there');
  });

  it('says honestly why it cannot be had', async () => {
    const { voice, download, petId } = await setUp();
    await expect(voice.open({ id: 'x', petId, fields: {} })).rejects.toThrow(
      'is not on the server yet',
    );
    const entry = { id: 'x', petId, fields: { fileLocation: location } };
    await expect(voice.open(entry)).rejects.toThrow('not on the server any more');
    download.mockRejectedValue(new Error('unavailable'));
    await expect(voice.open(entry)).rejects.toMatchObject({
      name: 'CommandError',
      message: 'This recording is not on this device. Playing it needs a connection.',
    });
  });
});

describe('words', () => {
  const never = new AbortController().signal;

  async function onServer(kit: Awaited<ReturnType<typeof setUp>>) {
    const pet = await kit.database.pets.findOne(kit.petId).exec();
    await pet?.incrementalPatch({ pending: 0, seq: 1 });
  }

  it('come at once where the dog is on the server; kept all the same, the upload may have arrived', async () => {
    const kit = await setUp();
    const { voice, record, outbox, hear } = kit;
    const id = await record('sound');
    await expect(voice.transcribeNow(id, never)).rejects.toThrow('follows by itself');
    expect(hear).not.toHaveBeenCalled();
    await onServer(kit);
    expect(await voice.transcribeNow(id, never)).toEqual({ text: 'went away', rough: false });
    const [job, bytes] = hear.mock.calls[0] ?? [];
    expect(job?.entryId).toBe(id);
    expect(textOf(bytes)).toBe('sound');
    await voice.keep(id);
    expect(await onlyJob(outbox)).toMatchObject({ stage: 'uploading' });
  });

  it('requested before a crash leave no file when the recording is discarded after it', async () => {
    const kit = await setUp();
    await onServer(kit);
    const id = await kit.record();
    const { objectName } = await onlyJob(kit.outbox);
    kit.hear.mockReturnValue(new Promise(() => undefined));
    void kit.voice.transcribeNow(id, never);
    await vi.waitFor(() => expect(kit.hear).toHaveBeenCalled());
    // The next session has no state of this one in memory.
    const { files } = kit.reopen();
    await files.voice.discard(id);
    const named = [...(await kit.store.listRecords('remove-file')).values()];
    expect(named).toMatchObject([{ documentId: id, objectName }]);
    expect(await kit.outbox.queue.list()).toEqual([]);
  });

  it('do not come without a user', async () => {
    const kit = await setUp();
    await onServer(kit);
    const id = await kit.record();
    kit.hear.mockRejectedValue(Object.assign(new Error('x'), { code: 'unauthenticated' }));
    await expect(kit.voice.transcribeNow(id, never)).rejects.toThrow(/^Not signed in$/);
    kit.hear.mockRejectedValue(Object.assign(new Error('x'), { code: 'words-no-engine' }));
    expect(await kit.voice.transcribeNow(id, never)).toBeNull();
  });

  it('are made again for an entry, and corrected by its owner for good', async () => {
    const { voice, record, entry, commands, outbox, petId } = await setUp();
    const id = await record();
    await voice.keep(id);
    await commands.editText(id, '  my words ');
    expect(await entry(id)).toMatchObject({ text: 'my words', transcript: 'edited' });
    await expect(commands.editText(id, ' ')).rejects.toMatchObject({ code: 'invalid' });
    await expect(voice.retranscribe({ id, petId, fields: {} })).rejects.toThrow(
      'not on the server yet',
    );
    await outbox.queue.end(await onlyJob(outbox));
    const fileLocation = 'pets/p/audios/voice-note-1.webm';
    await voice.retranscribe({ id, petId, fields: { fileLocation } });
    const own = await entry(id);
    expect(own).toMatchObject({ text: 'my words', transcript: 'edited' });
    expect(await onlyJob(outbox)).toMatchObject({
      stage: 'transcribing',
      objectName: fileLocation,
      entryId: id,
      replacesStamp: own?.edits['text'],
    });
  });

  describe('made again', () => {
    const fileLocation = 'pets/p/audios/voice-note-1.webm';
    const rough = { text: 'went away', transcript: 'rough' };
    const silent = { transcript: 'none' };

    async function heardBefore(words: typeof rough | typeof silent) {
      const kit = await setUp();
      const id = await kit.record();
      await kit.voice.keep(id);
      await kit.outbox.queue.end(await onlyJob(kit.outbox));
      const hear = () =>
        change(kit.store, { collection: 'entries', id }, (stored) => withEdit(stored, words, 1));
      await hear();
      const again = () =>
        kit.voice.retranscribe({ id, petId: kit.petId, fields: { fileLocation } });
      return { ...kit, id, hear, again };
    }

    it('are waited for at once where none were heard', async () => {
      const { id, entry, outbox, again } = await heardBefore(silent);
      await again();
      expect(await entry(id)).toMatchObject({ transcript: 'waiting' });
      expect((await onlyJob(outbox)).replacesStamp).toBe(0);
    });

    it('leave those before, and their mark, until they come', async () => {
      const { id, entry, outbox, again } = await heardBefore(rough);
      const stamp = (await entry(id))?.edits['text'];
      await again();
      expect(await entry(id)).toMatchObject(rough);
      expect((await onlyJob(outbox)).replacesStamp).toBe(stamp);
    });

    it('cut off before they are waited for, are asked for all the same', async () => {
      const { outbox, commands, again } = await heardBefore(silent);
      vi.spyOn(commands, 'awaitTranscript').mockRejectedValueOnce(new Error('cut off'));
      await expect(again()).rejects.toMatchObject({ code: 'storage' });
      expect(await onlyJob(outbox)).toMatchObject({ stage: 'transcribing', replacesStamp: 0 });
    });

    it('are not waited for if the answer came first', async () => {
      const { id, entry, commands, hear, again } = await heardBefore(silent);
      const awaitTranscript = commands.awaitTranscript.bind(commands);
      vi.spyOn(commands, 'awaitTranscript').mockImplementationOnce(async (...words) => {
        await hear();
        await awaitTranscript(...words);
      });
      await again();
      expect(await entry(id)).toMatchObject(silent);
    });

    it('are not requested for an entry that does not exist', async () => {
      const { outbox, petId, voice } = await heardBefore(silent);
      await expect(
        voice.retranscribe({ id: 'nowhere', petId, fields: { fileLocation } }),
      ).rejects.toMatchObject({ code: 'not-found' });
      expect(await outbox.queue.list()).toEqual([]);
    });
  });

  it('are requested again by Retry of a parked recording, and nothing is uploaded', async () => {
    const { files, voice, record, outbox } = await setUp();
    const id = await record();
    await voice.keep(id);
    const job = await onlyJob(outbox);
    await outbox.queue.move(job, { stage: 'failed', code: 'words-not-audio' });
    await files.retryFile(job.id);
    expect(await onlyJob(outbox)).toMatchObject({ stage: 'transcribing', code: null });
  });
});
