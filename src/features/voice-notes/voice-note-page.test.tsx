import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { entryRow, fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { voicePlayerOf } from './player/voice-player.ts';

const uploaded = { fileLocation: 'pets/pet/audios/voice-note-1.webm' };

function openVoiceNote() {
  const data = fakeData({ deleteEntry: async () => async () => 'one' });
  data.pets.set([petRow('pet', 'Bramble')]);
  const app = openApp({ path: '/pets/pet/notes/one', data });
  const show = (part: { readonly fileLocation?: string }) =>
    act(() => data.entries.set([entryRow('one', Date.now(), { type: 'voice-note', ...part })]));
  return { ...app, show };
}

describe('the page of a voice note', () => {
  it('falls silent when the note is deleted', async () => {
    const { user, store, show } = openVoiceNote();
    const player = voicePlayerOf(store);
    const playing = { ...player.getSnapshot(), id: 'one', phase: 'playing' } as const;
    const unload = vi.fn<() => void>();
    Object.assign(player, { unload, getSnapshot: () => playing });
    show(uploaded);
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete this entry?' });
    expect(unload).not.toHaveBeenCalled();
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(unload).toHaveBeenCalledOnce());
  });

  it('says that the note is in the cloud only once its recording is', async () => {
    const { show } = openVoiceNote();
    show({});
    expect(await screen.findByText('Recording not in the cloud yet')).toBeDefined();
    show(uploaded);
    expect(await screen.findByText('In the cloud')).toBeDefined();
  });
});
