import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { entryRow, fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import type { Commands } from '../../data/commands/commands.ts';
import type { VoiceFiles } from '../../data/files/voice-files.ts';

const profile = '/pets/pet/profile';

interface Own {
  readonly path: string;
  readonly commands?: Partial<Commands>;
  readonly voice?: Partial<VoiceFiles>;
}

function open({ path, commands = {}, voice = {} }: Own) {
  const data = fakeData(commands, { voice });
  data.pets.set([petRow('pet', 'Bramble')]);
  return openApp({ path, data });
}

const button = (name: string) => screen.findByRole('button', { name });

describe('a voice note in the journal', () => {
  const note = (part: Parameters<typeof entryRow>[2]) => {
    const row = entryRow('one', Date.now(), { type: 'voice-note', durationMs: 4_000, ...part });
    const { text: _, ...wordless } = row.fields;
    return part?.text === undefined ? { ...row, fields: wordless } : row;
  };
  const fileLocation = 'pets/pet/audios/voice-note-1.webm';

  const inProgress = 'AI Generation In Progress';

  it.each([
    [{ transcript: 'waiting' }, voiceJob('one'), [inProgress, /about to be uploaded/]],
    [{ transcript: 'waiting' }, null, [inProgress, /not here, and not on the server/]],
    [
      { transcript: 'waiting', fileLocation },
      voiceJob('one', { stage: 'transcribing', attempts: 3, code: 'words-no-engine' }),
      [inProgress],
    ],
    [
      { transcript: 'waiting' },
      voiceJob('one', { stage: 'failed', code: 'http-413' }),
      [inProgress, /too large for the server/],
    ],
    [{ transcript: 'unheard', fileLocation }, null, ['This server makes no texts of recordings.']],
    [{ transcript: 'rough', text: 'win a way', fileLocation }, null, ['win a way', 'Rough text']],
    [{ transcript: 'none', fileLocation }, null, ['No speech detected']],
    [{ transcript: 'failed', fileLocation }, null, ['No text could be made of this recording']],
    [{ transcript: 'done', text: 'went away', fileLocation }, null, ['went away']],
  ] as const)('with %o says how far it is, and why', async (part, job, says) => {
    const { data } = open({ path: profile });
    act(() => {
      if (job !== null) data.files.voice.works.set({ one: job });
      data.entries.set([note(part)]);
    });
    const player = await screen.findByRole('group', { name: 'Voice note' });
    expect(within(player).getByText('0:04')).toBeDefined();
    for (const words of says) expect(await screen.findByText(words)).toBeDefined();
  });

  it('opens with a tap on its text like any other, and explains why it has no text', async () => {
    const { user, data, path: here } = open({ path: profile });
    const first = note({ transcript: 'unheard', fileLocation });
    act(() =>
      data.entries.set([
        { ...first, id: 'two', feedKey: `0${first.feedKey}` },
        first,
        {
          ...note({ text: 'went away', transcript: 'done' }),
          id: 'three',
          feedKey: `z${first.feedKey}`,
        },
      ]),
    );
    const wordless = 'Voice note, 0:04 This server makes no texts of recordings.';
    expect(await screen.findAllByRole('link', { name: wordless })).toHaveLength(2);
    expect(await screen.findAllByRole('group', { name: 'Voice note' })).toHaveLength(3);
    expect(screen.queryByText(inProgress)).toBeNull();
    await user.click(await screen.findByRole('link', { name: 'went away' }));
    await waitFor(() => expect(here()).toBe('/pets/pet/notes/three'));
  });

  it('has its own text on its page if the server makes none, with a way to request it', async () => {
    const retranscribe = vi.fn<VoiceFiles['retranscribe']>(async () => undefined);
    const { user, data } = open({ path: '/pets/pet/notes/one', voice: { retranscribe } });
    act(() => data.entries.set([note({ transcript: 'unheard', fileLocation })]));
    expect(await screen.findByText('This server makes no texts of recordings.')).toBeDefined();
    await user.click(await button('Transcribe'));
    await waitFor(() => expect(retranscribe).toHaveBeenCalledOnce());
  });

  it('is mentioned in Settings if the server makes no texts', async () => {
    const { data } = open({ path: '/settings' });
    await screen.findByRole('heading', { name: 'Account Settings' });
    expect(screen.queryByText(/makes no texts/)).toBeNull();
    act(() => data.files.voice.noEngine.set(true));
    expect(await screen.findByText(/^This server makes no texts of recordings\./)).toBeDefined();
  });

  it('keeps a text that was begun and left, until it is saved or cancelled', async () => {
    const spoken = note({ transcript: 'edited', text: 'my words', fileLocation });
    const openNote = () => {
      const opened = open({ path: '/pets/pet/notes/one' });
      act(() => opened.data.entries.set([spoken]));
      return opened;
    };
    const first = openNote();
    await first.user.click(await button('Correct the text'));
    await first.user.keyboard(', and more');
    cleanup();
    const second = openNote();
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
    expect(box.value).toBe('my words, and more');
    await second.user.click(await button('Cancel'));
    expect(document.activeElement).toBe(await button('Correct the text'));
    cleanup();
    openNote();
    expect(await button('Correct the text')).toBeDefined();
  });

  it('has its text corrected and made again, and its recording saved', async () => {
    const editText = vi.fn<Commands['editText']>(async () => undefined);
    const retranscribe = vi.fn<VoiceFiles['retranscribe']>(async () => undefined);
    const { user, data } = open({
      path: '/pets/pet/notes/one',
      commands: { editText },
      voice: { retranscribe },
    });
    act(() => data.entries.set([note({ transcript: 'edited', text: 'my words', fileLocation })]));
    await user.click(await button('Correct the text'));
    const box = screen.getByRole('textbox', { name: 'Text' });
    await user.clear(box);
    await user.click(await button('Save the text'));
    expect(screen.getByText('Text is required')).toBeDefined();
    await user.type(box, 'better words');
    await user.click(await button('Save the text'));
    await waitFor(() => expect(editText).toHaveBeenCalledWith('one', 'better words'));
    await user.click(await button('Transcribe again'));
    expect(retranscribe).not.toHaveBeenCalled();
    await user.click(await button('Replace your own words'));
    await waitFor(() => expect(retranscribe).toHaveBeenCalledOnce());
    expect(await button('Save the recording')).toBeDefined();
  });
});
