import { render, screen } from '@testing-library/react';
import { createStore, Provider } from 'jotai';
import { expect, it, vi } from 'vitest';
import { cell } from '../../../../tests/support/fakes/cell.ts';
import { fakeSoundOutput } from '../../../../tests/support/fakes/fake-sound.ts';
import { soundOutputAtom } from '../../../platform/media/sound-output.ts';
import { Player } from './player.tsx';
import { voicePlayerOf, type Playable } from './voice-player.ts';

it('has its recording stop with its document, also after the data was opened anew', async () => {
  const store = createStore();
  store.set(soundOutputAtom, fakeSoundOutput());
  const player = voicePlayerOf(store);
  const withSource = (source: Playable['source']) => (
    <Provider store={store}>
      <Player
        playable={{
          id: 'one',
          title: 'Voice note',
          durationMs: 4_000,
          open: async () => ({ bytes: new ArrayBuffer(1), contentType: 'audio/webm' }),
          source,
        }}
      />
    </Provider>
  );
  const { rerender } = render(withSource(cell<object | null>({})));
  screen.getByRole('button', { name: 'Play' }).click();
  await vi.waitFor(() => expect(player.getSnapshot().phase).toBe('playing'));
  const reopened = cell<object | null>({});
  rerender(withSource(reopened));
  reopened.set(null);
  expect(player.getSnapshot()).toMatchObject({ id: null, phase: 'idle' });
});
