import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { createObservable } from '../../lib/async/observable.ts';

it('the focus of a dog that another device deletes goes to the heading, also if that comes late', async () => {
  const data = fakeData();
  data.pets.set([petRow('pet', 'Bramble')]);
  const isDeleted = createObservable<boolean | undefined>(undefined);
  vi.spyOn(data.queries, 'isPetDeleted').mockReturnValue(isDeleted);
  openApp({ path: '/pets/pet/profile', data });
  (await screen.findByRole('textbox', { name: 'Write a note' })).focus();
  act(() => data.pets.set([]));
  expect(document.activeElement).toBe(document.body);
  act(() => isDeleted.set(true));
  expect(document.activeElement).toBe(
    screen.getByRole('heading', { name: 'This dog was deleted' }),
  );
});
