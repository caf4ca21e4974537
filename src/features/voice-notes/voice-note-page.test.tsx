import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import {
  entryRow,
  fakeData,
  petRow,
  type EntryPart,
} from '../../../tests/support/fakes/fake-data.ts';
import { voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import type { OutboxJob } from '../../../schemas/local/outbox-job.ts';
import { fakeSoundOutput } from '../../../tests/support/fakes/fake-sound.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import type { VoiceFiles } from '../../data/files/voice-files.ts';
import { editDraft } from '../../data/edit-draft.ts';
import { readDrafts, writeDraft } from '../../lib/draft.ts';
import { nextTask } from '../../lib/async/next-task.ts';
import { soundOutputAtom } from '../../platform/media/sound-output.ts';

const uploaded = { fileLocation: 'pets/pet/audios/voice-note-1.webm' };

const hourMs = 3_600_000;

function openVoiceNote(voice: Partial<VoiceFiles> = {}) {
  const requestText = vi.fn<VoiceFiles['requestText']>(async () => undefined);
  const open: VoiceFiles['open'] = async () => ({
    bytes: new ArrayBuffer(1),
    contentType: 'audio/webm',
  });
  const data = fakeData(
    { deleteEntry: async () => async () => 'one' },
    { voice: { requestText, open, ...voice } },
  );
  data.pets.set([petRow('pet', 'Bramble')]);
  const app = openApp({ path: '/pets/pet/notes/one', data });
  const show = (part: EntryPart) =>
    act(() => data.entries.set([entryRow('one', Date.now(), { type: 'voice-note', ...part })]));
  return { ...app, data, show, requestText };
}

describe('the page of a voice note', () => {
  it('falls silent when the note is deleted', async () => {
    const { user, data, store, show } = openVoiceNote();
    const { output, ...speaker } = fakeSoundOutput();
    store.set(soundOutputAtom, speaker);
    show(uploaded);
    await user.click(await screen.findByRole('button', { name: 'Play' }));
    await screen.findByRole('button', { name: 'Pause' });
    act(() => data.entries.set([]));
    await waitFor(() => expect(output).toMatchObject({ isPlaying: false, loaded: '' }));
  });

  it('offers to make no text while the server is known to make none', async () => {
    const { data, show } = openVoiceNote();
    show({ ...uploaded, text: '', transcript: 'unheard' });
    (await screen.findByRole('button', { name: 'Transcribe' })).focus();
    act(() => data.files.voice.noEngine.set(true));
    expect(screen.queryByRole('button', { name: 'Transcribe' })).toBeNull();
    expect(document.activeElement?.tagName).toBe('ARTICLE');
  });

  it('promises another text only until that has come', async () => {
    const retranscribe = vi.fn<VoiceFiles['retranscribe']>(async () => undefined);
    const { user, show } = openVoiceNote({ retranscribe });
    show({ ...uploaded, text: 'yesterday', transcript: 'rough' });
    await user.click(await screen.findByRole('button', { name: 'Transcribe again' }));
    // The state of a note with a text does not change meanwhile.
    expect(await screen.findByText('It will be transcribed again.')).toBeDefined();
    show({ ...uploaded, text: 'today we walked', transcript: 'done', edits: { text: 5 } });
    expect(await screen.findByText('today we walked')).toBeDefined();
    expect(screen.queryByText('It will be transcribed again.')).toBeNull();
  });

  it('says that the note is in the cloud only once its recording is', async () => {
    const { show } = openVoiceNote();
    show({});
    expect(await screen.findByText('Recording not in the cloud yet')).toBeDefined();
    show(uploaded);
    expect(await screen.findByText('In the cloud')).toBeDefined();
  });

  it('takes what is being typed for no left draft, though a text comes meanwhile', async () => {
    const { user, data, show } = openVoiceNote();
    show({ ...uploaded, text: 'my', transcript: 'done' });
    await user.click(await screen.findByRole('button', { name: 'Correct the text' }));
    await user.type(await screen.findByRole('textbox', { name: 'Text' }), ' own');
    show({ ...uploaded, text: 'heard', transcript: 'done' });
    expect(screen.getByRole('alert').textContent).toMatch(/another text meanwhile/);
    expect(screen.queryByRole('region', { name: 'Your draft' })).toBeNull();
    expect(readDrafts(data.uid)).toEqual(['my own']);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(readDrafts(data.uid)).toEqual([]);
  });

  it('shows a text that was begun over an earlier one, until it is discarded', async () => {
    const { user, data, show } = openVoiceNote();
    const before = entryRow('one', 1, { text: 'heard', type: 'voice-note' });
    writeDraft(editDraft(data.uid, before), 'half of my own');
    show({ ...uploaded, text: 'heard anew', transcript: 'done' });
    const left = within(await screen.findByRole('region', { name: 'Your draft' }));
    expect(left.getByText('half of my own')).toBeDefined();
    await user.click(left.getByRole('button', { name: 'Discard' }));
    await user.click(left.getByRole('button', { name: 'Really discard' }));
    expect(readDrafts(data.uid)).toEqual([]);
  });

  const lost = { ...uploaded, transcript: 'waiting' } as const;
  const anHourAgo = () => Date.now() - hourMs - 1_000;

  it('requests once a transcript that nobody may wait for any more', async () => {
    const { show, requestText } = openVoiceNote();
    show({ ...lost, createdDate: anHourAgo() });
    await waitFor(() => expect(requestText).toHaveBeenCalledOnce());
    expect(requestText.mock.lastCall).toMatchObject([{ id: 'one', fields: uploaded }]);
    show({ ...lost, createdDate: anHourAgo(), rev: 2 });
    await act(nextTask);
    expect(requestText).toHaveBeenCalledOnce();
  });

  it.each<[string, EntryPart]>([
    ['was uploaded in this hour', { ...lost, edits: { fileLocation: Date.now() } }],
    ['was requested again in this hour', { ...lost, edits: { transcript: Date.now() } }],
    ['has come', { ...lost, transcript: 'done', text: 'went away' }],
    ['waits for the upload', { transcript: 'waiting' }],
  ])('requests no transcript that %s', async (_, part) => {
    const { show, requestText } = openVoiceNote();
    show({ ...part, createdDate: anHourAgo() });
    await screen.findByRole('group', { name: 'Voice note' });
    await act(nextTask);
    expect(requestText).not.toHaveBeenCalled();
  });

  it('says that its text is made again, until that has come or its owner has written another', async () => {
    const { data, show } = openVoiceNote();
    const known = { ...uploaded, text: 'heard', transcript: 'done', edits: { text: 5 } } as const;
    const inProgress = 'AI Generation In Progress';
    const work = (part: Partial<OutboxJob>) =>
      act(() => data.files.voice.works.set({ one: voiceJob('one', part) }));
    show(known);
    await screen.findByRole('group', { name: 'Voice note' });
    work({ stage: 'transcribing' });
    expect(screen.queryByText(inProgress)).toBeNull();
    const again = { stage: 'transcribing', replacesStamp: 5 } as const;
    work(again);
    expect(await screen.findByText(inProgress)).toBeDefined();
    expect(screen.getByText('heard')).toBeDefined();
    work({ ...again, attempts: 1, code: 'unavailable' });
    expect(screen.getByText(/tried again by itself/)).toBeDefined();
    expect(screen.queryByText(inProgress)).toBeNull();
    work({ ...again, stage: 'done' });
    expect(screen.queryByText(inProgress)).toBeNull();
    work(again);
    show({ ...known, text: 'mine', edits: { text: 6 } });
    expect(screen.queryByText(inProgress)).toBeNull();
  });

  it('requests no transcript that this device waits for', async () => {
    const { data, show, requestText } = openVoiceNote();
    data.files.voice.works.set({ one: voiceJob('one', { stage: 'transcribing', attempts: 1 }) });
    show({ ...lost, createdDate: anHourAgo() });
    await screen.findByText(/tried again by itself/);
    await act(nextTask);
    expect(requestText).not.toHaveBeenCalled();
  });
});
