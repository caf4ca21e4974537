import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeData, petRow } from '../../../../tests/support/fakes/fake-data.ts';
import { fakeMicrophone } from '../../../../tests/support/fakes/fake-microphone.ts';
import { openApp } from '../../../../tests/support/setups/open-app.tsx';
import { openMicrophoneAtom } from '../../../platform/media/microphone.ts';

it('goes on when Escape closes a dialog, and is cancelled by the next one', async () => {
  const discarded: string[] = [];
  const data = fakeData(
    {},
    {
      voice: {
        begin: async () => ({
          id: 'one',
          append: async () => undefined,
          finish: async () => true,
          discard: async () => void discarded.push('one'),
        }),
      },
    },
  );
  data.pets.set([petRow('pet', 'Bramble')]);
  const { user, store } = openApp({ path: '/pets/pet/profile', data });
  act(() => store.set(openMicrophoneAtom, fakeMicrophone()));
  await user.click(await screen.findByRole('button', { name: 'Record' }));
  await screen.findByText('0:00');

  await user.click(screen.getByRole('button', { name: /Sync details/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Sync' });
  fireEvent.keyDown(dialog, { key: 'Escape' });
  fireEvent(dialog, new Event('cancel'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('timer', { name: 'Recorded' })).toBeDefined();
  expect(discarded).toEqual([]);

  await user.keyboard('{Escape}');
  await waitFor(() => expect(discarded).toEqual(['one']));
  expect(screen.queryByRole('timer')).toBeNull();
});
