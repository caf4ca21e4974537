import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { cell } from '../../../tests/support/fakes/cell.ts';
import { entryRow, fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import type { Pet } from '../../../schemas/documents/document.ts';

it('the journal is read while its dog is still being read, and shown only for a dog that is known', async () => {
  const data = fakeData();
  data.entries.set([entryRow('buried a bone', 1)]);
  const pet = cell<Pet | null | undefined>(undefined);
  vi.spyOn(data.queries, 'pet').mockReturnValue(pet);
  const feed = vi.spyOn(data.queries, 'feed');
  openApp({ path: '/pets/pet/profile', data });
  await vi.waitFor(() => expect(feed).toHaveBeenCalled());
  expect(screen.queryByText('buried a bone')).toBeNull();
  act(() => pet.set(petRow('pet', 'Bramble')));
  expect(await screen.findByText('buried a bone')).toBeDefined();
  act(() => pet.set(null));
  await vi.waitFor(() => expect(screen.queryByText('buried a bone')).toBeNull());
});
