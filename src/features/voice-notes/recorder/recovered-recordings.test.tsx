import { act, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeData, petRow } from '../../../../tests/support/fakes/fake-data.ts';
import { voiceJob } from '../../../../tests/support/fixtures/file-records.ts';
import { openApp } from '../../../../tests/support/setups/open-app.tsx';
import { readDrafts, writeDraft } from '../../../lib/draft.ts';
import type { VoiceFiles } from '../../../data/files/voice-files.ts';
import { recordingDraft } from './draft-recording.ts';

const startedAtMs = new Date(2026, 2, 4, 8, 5).getTime();
const time = '4 March 2026 at 08:05';

/** Opens a page with these interrupted recordings of Bramble, each with its length in milliseconds. */
async function openWith(lengths: Readonly<Record<string, number>>, petIds: readonly string[] = []) {
  const keep = vi.fn<VoiceFiles['keep']>(async () => undefined);
  const discard = vi.fn<VoiceFiles['discard']>(async () => undefined);
  const data = fakeData({}, { voice: { keep, discard } });
  data.pets.set([petRow('pet', 'Bramble')]);
  const { user } = openApp({ path: '/settings', data });
  const jobs = Object.entries(lengths).map(([id, durationMs], index) =>
    voiceJob(id, {
      stage: 'recorded',
      durationMs,
      petId: petIds[index] ?? 'pet',
      createdAtMs: startedAtMs,
    }),
  );
  act(() => data.files.voice.recoveredJobs.set(jobs));
  const offer = within(await screen.findByRole('region', { name: 'Recovered recordings' }));
  const gone = (id: string) =>
    act(() => data.files.voice.recoveredJobs.set(jobs.filter((job) => job.entryId !== id)));
  const press = (name: string) => user.click(offer.getByRole('button', { name }));
  return { keep, discard, data, offer, gone, press };
}

it('is offered with its length, its dog and its time, and kept or discarded', async () => {
  const { keep, discard, data, offer, gone, press } = await openWith({ a: 11_900, b: 400 }, [
    'pet',
    'gone',
  ]);
  expect(offer.getByText('Recovered recording, 12 s')).toBeDefined();
  expect(offer.getByText('Bramble')).toBeDefined();
  expect(offer.getByText('Its dog is not here any more')).toBeDefined();
  expect(offer.getAllByText(`· ${time}`)).toHaveLength(2);
  await press(`Keep recording, 12 s, ${time}`);
  expect(keep).toHaveBeenCalledWith('a', undefined);
  await screen.findByText('Kept in the journal of Bramble.');
  gone('a');
  await press(`Discard recording, 1 s, ${time}`);
  expect(discard).not.toHaveBeenCalled();
  await press(`Really discard recording, 1 s, ${time}`);
  expect(discard).toHaveBeenCalledWith('b');
  await screen.findByText('Recording discarded');
  act(() => data.files.voice.recoveredJobs.set([]));
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

it.each([
  { written: 'We went away', words: undefined },
  { written: 'We went away!', words: { text: 'We went away!', transcript: 'edited' } },
])('is kept with "$written", which was in the box with it', async ({ written, words }) => {
  const keep = vi.fn<VoiceFiles['keep']>(async () => undefined);
  const data = fakeData({}, { voice: { keep } });
  data.pets.set([petRow('pet', 'Bramble')]);
  writeDraft(recordingDraft({ owner: data.uid, name: 'pet' }, 'a'), written);
  const { user } = openApp({ path: '/settings', data });
  const heard = { text: 'We went away', rough: false };
  act(() => data.files.voice.recoveredJobs.set([voiceJob('a', { stage: 'recorded', heard })]));
  await user.click(await screen.findByRole('button', { name: /^Keep/ }));
  await screen.findByText('Kept in the journal of Bramble.');
  expect(keep.mock.calls).toEqual([['a', words]]);
  expect(readDrafts(data.uid)).toEqual([]);
});

it.each([
  { kept: 3, id: 'a', focused: `Recovered recording, 4 s, ${time}` },
  { kept: 6, id: 'c', focused: `Recovered recording, 4 s, ${time}` },
])('hands the focus to the one beside it: $kept s', async ({ kept, id, focused }) => {
  const { gone, press } = await openWith({ a: 3_000, b: 4_000, c: 6_000 });
  await press(`Keep recording, ${String(kept)} s, ${time}`);
  gone(id);
  expect(document.activeElement).toBe(screen.getByRole('group', { name: focused }));
});
