import { describe, expect, it, vi } from 'vitest';
import { failWrite } from '../../../tests/support/fakes/failing-writes.ts';
import { expectLive } from '../../../tests/support/setups/data-setup.ts';
import { setUpFiles } from '../../../tests/support/setups/files-setup.ts';
import { voiceSentences } from './voice-copy.ts';
import { bytesOf, onlyJob } from '../../../tests/support/setups/test-outbox.ts';

const never = new AbortController().signal;

/** A finished recording with its transcript, on a device whose tabs have gone since. */
async function setUp(text = ' went away ') {
  const kit = await setUpFiles();
  const { petId } = kit;
  const pet = await kit.database.pets.findOne(petId).exec();
  await pet?.incrementalPatch({ seq: 1, pending: 0 });
  kit.hear.mockResolvedValue({ text, rough: true });
  const recording = await kit.files.voice.begin({ petId, contentType: 'audio/webm' });
  await recording.append(bytesOf('sound'), 4_000);
  await recording.finish(4_000);
  const { id } = recording;
  await kit.files.voice.transcribeNow(id, never);
  kit.heldIds.clear();
  const entry = async () => (await kit.database.journal_entries.findOne(id).exec())?.fields;
  return { ...kit, ...kit.reopen().files, id, entry };
}

describe('a recording whose page went before its transcript was sent', () => {
  it('O1.5 is held again by its page, with the transcript, and offered nowhere then', async () => {
    const { voice, id, heldIds } = await setUp();
    expect(await voice.reopen('another')).toBeNull();
    const heard = { text: 'went away', rough: true };
    expect(await voice.reopen(id)).toEqual({ id, durationMs: 4_000, heard });
    expect([...heldIds]).toEqual([id]);
    await expectLive(voice.recovered(), (jobs) => expect(jobs).toEqual([]));
  });

  it.each([
    ['went away', { text: 'went away', transcript: 'rough' }],
    ['', { transcript: 'none' }],
  ])('is kept with the transcript "%s" also where it is offered', async (text, fields) => {
    const { voice, id, entry, outbox } = await setUp(text);
    await voice.keep(id);
    expect(await entry()).toMatchObject(fields);
    expect(await onlyJob(outbox)).not.toHaveProperty('heard');
  });

  it('is left to the tab that has it', async () => {
    const { voice, id, heldIds } = await setUp();
    heldIds.add(id);
    expect(await voice.reopen(id)).toBe('held');
    expect([...heldIds]).toEqual([id]);
  });

  it('is not held again once it is kept, nor if it cannot be read', async () => {
    const { voice, id, heldIds, outbox } = await setUp();
    vi.spyOn(outbox.queue, 'get').mockRejectedValueOnce(new Error('closed'));
    await expect(voice.reopen(id)).rejects.toThrow(voiceSentences.notRead);
    expect(heldIds.size).toBe(0);
    await voice.keep(id);
    expect(await voice.reopen(id)).toBeNull();
    expect(heldIds.size).toBe(0);
  });

  it('is held again without its transcript if the device had no room for that', async () => {
    const { voice, id, outbox, store } = await setUp();
    const from = await onlyJob(outbox);
    const { heard: _, ...to } = from;
    await store.commit({ jobs: [{ from, to }] });
    const heard = { text: '', rough: false };
    expect(await voice.reopen(id)).toEqual({ id, durationMs: 4_000, heard });
  });

  it('is transcribed although the device has no room for the transcript', async () => {
    const { voice, database, id, outbox, hear } = await setUp('first');
    hear.mockResolvedValue({ text: 'second', rough: false });
    // The write before notes that an upload begins.
    failWrite(database, 1);
    expect(await voice.transcribeNow(id, never)).toMatchObject({ text: 'second' });
    expect(await onlyJob(outbox)).toMatchObject({ heard: { text: 'first' } });
  });
});
