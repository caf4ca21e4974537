import { expect, it, onTestFinished, vi } from 'vitest';
import { expectLive } from '../../../tests/support/setups/data-setup.ts';
import { setUpFiles } from '../../../tests/support/setups/files-setup.ts';
import { bytesOf, onlyJob, textOf } from '../../../tests/support/setups/test-outbox.ts';

it('a recording is heard, and known to wait, before the outbox hands it to the entry that takes its place', async () => {
  const { files, petId, commands, queries, outbox } = await setUpFiles();
  const { voice } = files;
  const recording = await voice.begin({ petId, contentType: 'audio/webm' });
  await recording.append(bytesOf('kept'), 4_000);
  await recording.finish(4_000);
  let { id } = recording;
  await voice.keep(id);
  for (const _ of ['once', 'twice']) {
    const undo = await commands.deleteEntry(id);
    id = await undo();
    await expectLive(queries.entry(petId, id), (entry) => expect(entry?.id).toBe(id));
    const spoken = { id, petId, fields: { createdDate: 1, type: 'voice-note' } as const };
    expect(textOf((await voice.open(spoken)).bytes)).toBe('kept');
    await expectLive(voice.work(id), ({ job }) => expect(job?.stage).toBe('queued'));
  }
  const live = voice.work(id);
  onTestFinished(live.subscribe(() => undefined));
  await vi.waitFor(() => expect(live.getSnapshot()?.job?.attempts).toBe(0));
  await outbox.queue.move(await onlyJob(outbox), { attempts: 1 });
  await vi.waitFor(() => expect(live.getSnapshot()?.job?.attempts).toBe(1));
});
