import { describe, expect, it } from 'vitest';
import { asDeleted, withEdit } from '../../schemas/documents/document.ts';
import { entryDeletedCode } from '../../schemas/local/outbox-job.ts';
import { voiceNoteJobId } from '../../schemas/documents/voice-note.ts';
import { clean } from '../../tests/support/fixtures/sync-documents.ts';
import { derivedId } from '../../store/derived-id.ts';
import { recordAndWrite, voiceEntry } from '../../tests/support/fixtures/outbox-recordings.ts';
import { createOutboxRig, lostWith, refusedWith } from '../../tests/support/setups/outbox-setup.ts';
import { onlyJob } from '../../tests/support/setups/test-outbox.ts';
import { backoffCapMs } from '../connectivity/backoff.ts';

describe('texts that the server does not make, or not well', () => {
  it('O4.7 while nobody can make words, the note waits: it has its file, and never fails', async () => {
    const rig = createOutboxRig();
    const { objectName } = await recordAndWrite(rig);
    rig.hearWith(() => Promise.reject(lostWith('words-no-engine')));
    for (let round = 0; round < 12; round += 1) {
      await rig.pass();
      await rig.clock.advance(600_000);
    }
    expect(await onlyJob(rig.outbox)).toMatchObject({
      stage: 'transcribing',
      code: 'words-no-engine',
    });
    expect(rig.entry('e1')?.fields).toMatchObject({
      fileLocation: objectName,
      transcript: 'unheard',
    });
    expect(rig.edits()).toBe(2);
    expect(rig.server.uploads).toHaveLength(1);
    rig.hearWith(async () => 'at last');
    await rig.pass();
    expect(rig.entry('e1')?.fields).toMatchObject({ text: 'at last', transcript: 'done' });
    expect(await rig.left()).toEqual([]);
  });

  describe('an answer that concerns the server', () => {
    async function rigOfThree(code: string) {
      const rig = createOutboxRig();
      for (const id of ['e1', 'e2', 'e3']) await recordAndWrite(rig, id);
      rig.hearWith(() => Promise.reject(lostWith(code)));
      await rig.pass();
      const transcripts = () => ['e1', 'e2', 'e3'].map((id) => rig.entry(id)?.fields['transcript']);
      return { ...rig, transcripts };
    }

    it.each(['words-no-engine', 'words-too-many', 'words-engine-unavailable'])(
      'O4.11 is not asked for once more for each recording: %s',
      async (code) => {
        const { asked, worker, pass, clock, hearWith, transcripts } = await rigOfThree(code);
        expect(asked).toHaveLength(1);
        await pass();
        expect(asked).toHaveLength(1);
        worker.poke('online');
        await pass();
        expect(asked).toHaveLength(2);
        hearWith(async () => 'at last');
        await clock.advance(backoffCapMs);
        await pass();
        expect(transcripts()).toEqual(['done', 'done', 'done']);
      },
    );

    it('O4.11 is followed by the next request by itself, when the pause is over', async () => {
      const { asked, worker, clock } = await rigOfThree('words-too-many');
      const stop = new AbortController();
      const working = worker.work(stop.signal);
      worker.poke('documents');
      await clock.advance(1_000);
      expect(asked).toHaveLength(1);
      await clock.advance(1_000);
      await expect.poll(() => asked.length).toBe(2);
      // Another recording had its turn.
      expect(asked[1]).not.toBe(asked[0]);
      stop.abort();
      await working;
    });

    it('O4.11 is told in the entries of all recordings, also of later ones, once and unasked', async () => {
      const rig = await rigOfThree('words-no-engine');
      expect(rig.transcripts()).toEqual(['unheard', 'unheard', 'unheard']);
      await recordAndWrite(rig, 'e4');
      await rig.pass();
      expect(rig.entry('e4')?.fields['transcript']).toBe('unheard');
      expect(rig.asked).toHaveLength(1);
      const codes = (await rig.outbox.queue.list()).map(({ code }) => code);
      expect(new Set(codes)).toEqual(new Set(['words-no-engine']));
      const edits = rig.edits();
      await rig.pass();
      expect(rig.edits()).toBe(edits);
    });

    it('O4.11 leaves the mark of a deleted entry on its job', async () => {
      const rig = await rigOfThree('words-no-engine');
      // This device has only requested its transcript.
      const objectName = 'pets/p1/audios/voice-note-5.webm';
      const audio = { entryId: 'e4', petId: 'p1', objectName, contentType: 'audio/webm' };
      await rig.outbox.voiceNotes.requestTranscript(audio);
      rig.store.put(asDeleted(clean(voiceEntry('e4'), 5)));
      await rig.pass();
      const job = await rig.outbox.queue.get(voiceNoteJobId('e4'));
      expect(job).toMatchObject({ stage: 'transcribing', code: entryDeletedCode });
    });

    it('O4.11 is given by one recording alone, and keeps back no other', async () => {
      const rig = createOutboxRig();
      const { objectName } = await recordAndWrite(rig, 'e1');
      for (const id of ['e2', 'e3']) await recordAndWrite(rig, id);
      rig.hearWith(async (fileLocation) => {
        if (fileLocation === objectName) throw lostWith('words-engine-unavailable');
        return 'ducks';
      });
      await rig.pass();
      await rig.clock.advance(backoffCapMs);
      await rig.pass();
      const texts = ['e1', 'e2', 'e3'].map((id) => rig.entry(id)?.fields['text']);
      expect(texts).toEqual([undefined, 'ducks', 'ducks']);
    });
  });

  it('O4.7 words of an engine that is often wrong are marked as rough', async () => {
    const rig = createOutboxRig();
    rig.state.isRough = true;
    await recordAndWrite(rig);
    await rig.pass();
    expect(rig.entry('e1')?.fields).toMatchObject({ text: 'went away', transcript: 'rough' });
  });

  it.each([
    ['rough', () => Promise.reject(lostWith('words-no-engine'))],
    ['rough', () => Promise.reject(refusedWith('words-not-audio'))],
    ['rough', async () => ''],
    ['done', () => Promise.reject(lostWith('words-no-engine'))],
    ['done', async () => ''],
  ])('O4.9 a text that was made before stays with its mark: %s', async (transcript, hear) => {
    const rig = createOutboxRig();
    rig.state.isRough = transcript === 'rough';
    const { objectName, contentType } = await recordAndWrite(rig);
    await rig.pass();
    const replacesStamp = rig.entry('e1')?.edits['text'];
    const audio = { entryId: 'e1', petId: 'p1', objectName, contentType, replacesStamp };
    await rig.outbox.voiceNotes.requestTranscript(audio);
    rig.hearWith(hear);
    await rig.pass();
    expect(rig.asked).toHaveLength(2);
    expect(rig.entry('e1')?.fields).toMatchObject({ text: 'went away', transcript });
  });

  it('O4.7 a server that makes no texts takes none away that an earlier client marked as awaited', async () => {
    const rig = createOutboxRig();
    await recordAndWrite(rig);
    await rig.pass();
    const entry = rig.entry('e1');
    if (entry !== undefined) rig.store.put(withEdit(entry, { transcript: 'waiting' }, 9_000));
    rig.hearWith(() => Promise.reject(lostWith('words-no-engine')));
    await rig.outbox.voiceNotes.requestTranscript({
      entryId: 'e1',
      petId: 'p1',
      objectName: String(entry?.fields['fileLocation']),
      contentType: 'audio/webm',
    });
    await rig.pass();
    expect(rig.entry('e1')?.fields).toMatchObject({ text: 'went away', transcript: 'done' });
  });
});

it.each([
  ['a restored voice note', false],
  ['a voice note, and once more after it was restored,', true],
])('O4.9 a new transcript that was asked for %s is made', async (_, isAskedBefore) => {
  const rig = createOutboxRig();
  const toEnd = async (): Promise<void> => {
    for (let count = 0; count < 4; count += 1) {
      rig.sync();
      await rig.pass();
    }
  };
  const { objectName } = await recordAndWrite(rig);
  await toEnd();
  const sent = rig.entry('e1') ?? voiceEntry('e1');
  // Without a connection its owner deletes it, takes that back, and asks for a new transcript.
  const sound = { petId: 'p1', objectName, contentType: 'audio/webm' };
  const before = { ...sound, entryId: 'e1', replacesStamp: sent.edits['text'] };
  if (isAskedBefore) await rig.outbox.voiceNotes.requestTranscript(before);
  const id = await derivedId('e1');
  rig.store.put(clean(asDeleted(sent), 6));
  const words = { text: 'Wend a way', transcript: 'edited' };
  const restored = withEdit({ ...sent, id }, words, 7_000);
  rig.store.put(clean(restored, 7));
  const replacesStamp = restored.edits['text'];
  await rig.outbox.voiceNotes.requestTranscript({ ...sound, entryId: id, replacesStamp });
  rig.hearWith(async () => 'went away');
  await toEnd();
  expect(rig.entry(id)?.fields).toMatchObject({ text: 'went away', transcript: 'done' });
});
