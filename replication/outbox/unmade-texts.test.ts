import { describe, expect, it } from 'vitest';
import { withEdit } from '../../schemas/documents/document.ts';
import { recordAndWrite } from '../../tests/support/fixtures/outbox-recordings.ts';
import { createOutboxRig, lostWith } from '../../tests/support/setups/outbox-setup.ts';
import { onlyJob } from '../../tests/support/setups/test-outbox.ts';

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

  it('O4.7 words of an engine that is often wrong are marked as rough', async () => {
    const rig = createOutboxRig();
    rig.state.isRough = true;
    await recordAndWrite(rig);
    await rig.pass();
    expect(rig.entry('e1')?.fields).toMatchObject({ text: 'went away', transcript: 'rough' });
  });

  it('O4.7 a server that makes no texts takes none away that were made before', async () => {
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
