import { describe, expect, it, vi } from 'vitest';
import { failSwap } from '../../tests/support/fakes/failing-writes.ts';
import { asDeleted, withEdit } from '../../schemas/documents/document.ts';
import { readFormerTexts } from '../../schemas/documents/former-texts.ts';
import { backoffCapMs } from '../connectivity/backoff.ts';
import { derivedId } from '../../store/derived-id.ts';
import { createOutboxRig, lostWith, refusedWith } from '../../tests/support/setups/outbox-setup.ts';
import {
  record,
  recordAndWrite,
  voiceEntry,
} from '../../tests/support/fixtures/outbox-recordings.ts';
import { clean } from '../../tests/support/fixtures/sync-documents.ts';
import { bytesOf, onlyJob, pictureOf, textOf } from '../../tests/support/setups/test-outbox.ts';
import { deletedRecordingKeptMs } from '../../store/files/voice-note-files.ts';

const heirId = await derivedId('e1');

describe('voice notes in the outbox', () => {
  it('O4.4 a recording goes up, its entry learns of the file, then of the words, and the bytes move to the cache', async () => {
    const rig = createOutboxRig();
    const { objectName, contentType } = await recordAndWrite(rig);
    expect(await rig.pass()).toBe(true);
    expect(textOf(rig.server.stored().get(objectName)?.bytes)).toBe('sound of e1');
    expect(rig.asked).toEqual([objectName]);
    expect(rig.entry('e1')).toMatchObject({
      pending: 1,
      fields: {
        fileLocation: objectName,
        contentType,
        durationMs: 4_000,
        text: 'went away',
        transcript: 'done',
      },
    });
    expect(await rig.left()).toEqual([]);
    expect(textOf((await rig.outbox.caches.recording(objectName))?.bytes)).toBe('sound of e1');
  });

  it('O4.4 its entry learns of its file also if the device could not store that at first', async () => {
    const rig = createOutboxRig();
    const { objectName } = await recordAndWrite(rig);
    failSwap(rig.store);
    await rig.pass();
    expect(rig.entry('e1')?.fields['fileLocation']).toBeUndefined();
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'uploaded', code: 'defect' });
    rig.worker.poke('manual');
    await rig.pass();
    const fields = { fileLocation: objectName, text: 'went away' };
    expect(rig.entry('e1')).toMatchObject({ fields });
  });

  it('O2.8 a recording of another device under its name stays, and it takes the next one', async () => {
    const rig = createOutboxRig();
    const { objectName, contentType } = await recordAndWrite(rig);
    const bytes = bytesOf('sound of the other device');
    const { signal } = new AbortController();
    await rig.server.connect().upload({ objectName, contentType, bytes }, signal);
    await rig.pass();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      rig.worker.poke('manual');
      await rig.pass();
    }
    expect(textOf(rig.server.stored().get(objectName)?.bytes)).toBe('sound of the other device');
    const fileLocation = String(rig.entry('e1')?.fields['fileLocation']);
    expect(fileLocation).not.toBe(objectName);
    expect(textOf(rig.server.stored().get(fileLocation)?.bytes)).toBe('sound of e1');
    expect(await rig.left()).toEqual([]);
  });

  it('O1.5 without an entry it rests; once that is written it goes', async () => {
    const rig = createOutboxRig();
    await record(rig, 'e1');
    await rig.pass();
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'recorded' });
    expect(rig.server.uploads).toEqual([]);
    rig.store.put(clean(voiceEntry('e1'), 5));
    await rig.pass();
    expect(rig.server.uploads).toHaveLength(1);
  });

  it('O2.6 waits until its entry is on the server', async () => {
    const rig = createOutboxRig();
    await record(rig, 'e1');
    rig.store.put(voiceEntry('e1'));
    await rig.pass();
    expect(rig.server.uploads).toEqual([]);
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'queued', attempts: 0 });
    rig.store.put(clean(voiceEntry('e1'), 5));
    await rig.pass();
    expect(rig.server.uploads).toHaveLength(1);
  });

  it('O4.5 imported in place of a deleted entry, it is uploaded once, and the earlier one is not', async () => {
    const rig = createOutboxRig();
    await recordAndWrite(rig, 'e1');
    await rig.pass();
    await rig.left();
    const [entry] = rig.store.documents('entries');
    if (entry !== undefined) rig.store.put(clean(asDeleted(entry), 6));
    await rig.clock.advance(1);
    const { objectName } = await recordAndWrite(rig, heirId);
    for (let passes = 0; passes < 3; passes += 1) await rig.left();
    expect(rig.server.uploads).toHaveLength(2);
    expect(rig.entry(heirId)?.fields).toMatchObject({ fileLocation: objectName });
  });

  it('O2.7 all files have had their turn when words are asked for', async () => {
    const rig = createOutboxRig();
    await recordAndWrite(rig, 'e1');
    await rig.clock.advance(1);
    await recordAndWrite(rig, 'e2');
    await rig.outbox.addPicture(pictureOf('p2'));
    const uploadsThen: number[] = [];
    rig.hearWith(async () => {
      uploadsThen.push(rig.server.uploads.length);
      return 'words';
    });
    await rig.pass();
    expect(uploadsThen).toEqual([3, 3]);
  });

  it('O4.7 a recording that the server refuses to transcribe is parked with its reason, and the entry says so', async () => {
    const rig = createOutboxRig();
    await recordAndWrite(rig);
    rig.hearWith(() => Promise.reject(refusedWith('words-not-audio')));
    await rig.pass();
    const parked = await onlyJob(rig.outbox);
    expect(parked).toMatchObject({ stage: 'failed', code: 'words-not-audio' });
    expect(rig.entry('e1')?.fields['transcript']).toBe('failed');
    rig.hearWith(async () => 'now it can');
    await rig.outbox.queue.move(parked, { stage: 'transcribing', attempts: 0, code: null });
    await rig.pass();
    expect(rig.entry('e1')?.fields).toMatchObject({ text: 'now it can', transcript: 'done' });
  });

  it('O4.7 a stalled listener holds up no upload', async () => {
    const rig = createOutboxRig();
    await recordAndWrite(rig, 'e1');
    rig.hearWith(() => Promise.reject(lostWith('timeout')));
    await rig.pass();
    await recordAndWrite(rig, 'e2');
    await rig.pass();
    expect(rig.server.uploads).toHaveLength(2);
  });

  it.each([
    ['', undefined, { transcript: 'none' }],
    ['  ', 'from before', { transcript: 'done', text: 'from before' }],
  ])('O4.4 %o heard where the text was %o leaves %o', async (heard, text, fields) => {
    const rig = createOutboxRig();
    await record(rig, 'e1');
    const entry = clean(voiceEntry('e1'), 5);
    rig.store.put(text === undefined ? entry : { ...entry, fields: { ...entry.fields, text } });
    rig.hearWith(async () => heard);
    await rig.pass();
    expect(rig.entry('e1')?.fields).toMatchObject(fields);
    expect('text' in (rig.entry('e1')?.fields ?? {})).toBe(text !== undefined);
  });

  it('O4.4 a text that a person wrote meanwhile stays', async () => {
    const rig = createOutboxRig();
    await recordAndWrite(rig);
    rig.hearWith(async () => {
      const entry = rig.entry('e1');
      if (entry === undefined) throw new Error('not there');
      rig.store.put(withEdit(entry, { text: 'my words', transcript: 'edited' }, 9_000));
      return 'machine words';
    });
    await rig.pass();
    expect(rig.entry('e1')?.fields).toMatchObject({ text: 'my words', transcript: 'edited' });
    expect(await rig.left()).toEqual([]);
  });

  it("O4.4 words that an earlier client stored without a state are a person's, and stay", async () => {
    const rig = createOutboxRig();
    await record(rig, 'e1');
    const { transcript: _, ...fields } = voiceEntry('e1').fields;
    const words = { ...fields, text: 'my words' };
    rig.store.put(clean({ ...voiceEntry('e1'), fields: words }, 5));
    await rig.pass();
    expect(rig.entry('e1')?.fields).toMatchObject(words);
    expect(rig.asked).toEqual([]);
  });

  describe('words that the owner wants in place of their own', () => {
    const mine = { text: 'my words', transcript: 'edited' };

    async function askedAgain(hear: (rig: ReturnType<typeof createOutboxRig>) => string) {
      const rig = createOutboxRig();
      const { objectName } = await recordAndWrite(rig);
      await rig.pass();
      const edit = (text: string, nowMs: number) => {
        const entry = rig.entry('e1');
        if (entry === undefined) throw new Error('not there');
        rig.store.put(clean(withEdit(entry, { ...mine, text }, nowMs), 9));
        return rig.entry('e1')?.edits['text'];
      };
      const replacesStamp = edit('my words', rig.clock.now() + 1);
      const audio = { entryId: 'e1', petId: 'p1', objectName, contentType: 'audio/webm' };
      await rig.outbox.voiceNotes.requestTranscript({ ...audio, replacesStamp });
      rig.hearWith(async () => hear(rig));
      return { ...rig, edit };
    }

    it("O4.9 take their place when they come, and the owner's are kept as a former text", async () => {
      const rig = await askedAgain(({ entry }) => {
        expect(entry('e1')?.fields).toMatchObject(mine);
        return 'better';
      });
      await rig.pass();
      expect(rig.entry('e1')?.fields).toMatchObject({ text: 'better', transcript: 'done' });
      const former = readFormerTexts(rig.entry('e1')?.fields['formerTexts']);
      expect(former[0]?.text).toBe('my words');
    });

    it("O4.9 leave the owner's where nobody speaks, and where the server refuses", async () => {
      const silent = await askedAgain(() => '');
      await silent.pass();
      expect(silent.entry('e1')?.fields).toMatchObject(mine);
      const refused = await askedAgain(() => {
        throw refusedWith('words-not-audio');
      });
      await refused.pass();
      expect(refused.entry('e1')?.fields).toMatchObject(mine);
    });

    it('O4.9 do not replace what the owner wrote after asking', async () => {
      const rig = await askedAgain(() => 'better');
      rig.edit('newer words', rig.clock.now() + 10);
      await rig.pass();
      expect(rig.entry('e1')?.fields).toMatchObject({ ...mine, text: 'newer words' });
    });
  });

  it.each([
    ['better', 'better'],
    ['what was heard', 'what was heard'],
    ['', 'what was heard'],
  ])(
    'O4.4 words asked for in place of a machine’s come without being waited for, also as they were: %o',
    async (heard, text) => {
      const rig = createOutboxRig();
      const { objectName } = await recordAndWrite(rig);
      rig.hearWith(async () => 'what was heard');
      await rig.pass();
      const before = rig.entry('e1')?.edits ?? {};
      expect(before).toMatchObject({ text: expect.any(Number) });
      const audio = { entryId: 'e1', petId: 'p1', objectName, contentType: 'audio/webm' };
      await rig.outbox.voiceNotes.requestTranscript({ ...audio, replacesStamp: before['text'] });
      rig.hearWith(async () => heard);
      await rig.pass();
      const entry = rig.entry('e1');
      expect(entry?.fields).toMatchObject({ text, transcript: 'done' });
      expect(entry?.edits['transcript']).toBeGreaterThan(before['transcript'] ?? 0);
      expect(await rig.left()).toEqual([]);
    },
  );

  it('O4.4 words that are waited for once more are asked for without the bytes', async () => {
    const rig = createOutboxRig();
    const { objectName } = await recordAndWrite(rig);
    await rig.pass();
    const entry = rig.entry('e1');
    if (entry !== undefined) rig.store.put(withEdit(entry, { transcript: 'waiting' }, 9_000));
    rig.hearWith(async () => 'better');
    await rig.outbox.voiceNotes.requestTranscript({
      entryId: 'e1',
      petId: 'p1',
      objectName,
      contentType: 'audio/webm',
    });
    await rig.pass();
    expect(rig.entry('e1')?.fields).toMatchObject({ text: 'better', fileLocation: objectName });
    expect(rig.server.uploads).toHaveLength(1);
    expect(await rig.left()).toEqual([]);
  });

  it('O4.5 a deleted entry keeps its recording until the deletion cannot be taken back', async () => {
    const rig = createOutboxRig();
    await record(rig, 'e1');
    rig.store.put(clean(asDeleted(clean(voiceEntry('e1'), 5)), 6));
    await rig.pass();
    expect(await rig.outbox.queue.list()).toHaveLength(1);
    expect(rig.server.uploads).toEqual([]);
    await rig.clock.advance(deletedRecordingKeptMs);
    await rig.pass();
    expect(await rig.outbox.queue.list()).toEqual([]);
    expect(rig.server.uploads).toEqual([]);
  });

  it('O4.5 a deleted entry takes its cached recording with it a day later, once the server knows', async () => {
    const rig = createOutboxRig();
    const { objectName } = await recordAndWrite(rig);
    await recordAndWrite(rig, 'e2');
    await rig.pass();
    expect(await rig.left()).toEqual([]);
    const entry = rig.entry('e1');
    if (entry === undefined) throw new Error('not there');
    rig.store.put(asDeleted(entry));
    await rig.pass();
    await rig.clock.advance(deletedRecordingKeptMs);
    await rig.pass();
    expect(await onlyJob(rig.outbox)).toMatchObject({ objectName });
    rig.store.put(clean(asDeleted(entry), 6));
    await rig.pass();
    expect(await rig.outbox.queue.list()).toEqual([]);
    expect((await rig.outbox.caches.recordings()).map(({ documentId }) => documentId)).toEqual([
      'e2',
    ]);
  });

  it('O4.5 the worker removes a kept recording by itself when its time is over', async () => {
    const rig = createOutboxRig();
    await record(rig, 'e1');
    rig.store.put(clean(asDeleted(clean(voiceEntry('e1'), 5)), 6));
    const stop = new AbortController();
    const waits = vi.spyOn(rig.clock, 'after');
    const working = rig.worker.work(stop.signal);
    rig.worker.poke('documents');
    // A pass ends when the worker waits again; its hash takes longer than promise callbacks.
    await expect.poll(() => waits.mock.calls).toHaveLength(1);
    await rig.clock.advance(deletedRecordingKeptMs - backoffCapMs);
    await expect.poll(() => waits.mock.calls).toHaveLength(2);
    expect(await rig.outbox.queue.list()).toHaveLength(1);
    await rig.clock.advance(backoffCapMs);
    await expect.poll(() => rig.outbox.queue.list()).toEqual([]);
    stop.abort();
    await working;
  });

  it('O4.5 the recording comes back with its entry, under its new id', async () => {
    const rig = createOutboxRig();
    const { objectName } = await record(rig, 'e1');
    rig.store.put(asDeleted(clean(voiceEntry('e1'), 5)));
    await rig.pass();
    rig.store.put(clean(voiceEntry(heirId), 6));
    await rig.pass();
    expect(textOf(rig.server.stored().get(objectName)?.bytes)).toBe('sound of e1');
    expect(rig.entry(heirId)?.fields).toMatchObject({ fileLocation: objectName });
    expect(await rig.left()).toEqual([]);
  });

  it('O4.5 the recording goes with its entry to another dog', async () => {
    const rig = createOutboxRig();
    await record(rig, 'e1');
    rig.store.put(clean(voiceEntry('e1', 'p2'), 5));
    await rig.pass();
    expect(rig.server.uploads).toHaveLength(1);
    expect(rig.server.uploads[0]).toMatch(/^pets\/p2\/audios\/voice-note-\d+\.webm$/);
    expect(rig.entry('e1')?.fields['fileLocation']).toBe(rig.server.uploads[0]);
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
    await recordAndWrite(rig);
    await rig.pass();
    await rig.clock.advance(600_000);
    await rig.pass();
    expect(rig.server.uploads).toHaveLength(1);
    expect(rig.asked).toHaveLength(1);
    expect(rig.entry('e1')?.fields).toMatchObject({ transcript: 'done' });
  });
});
