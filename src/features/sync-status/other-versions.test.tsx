import { act, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { nothingUnsent, petRow } from '../../../tests/support/fake-data.ts';
import { openApp } from '../../../tests/support/open-app.tsx';
import { loser, openSheet } from '../../../tests/support/open-sheet.tsx';
import type { Commands } from '../../data/commands.ts';
import type { KeptLoser } from '../../data/queries.ts';

describe('other versions', () => {
  it('is asked for by other versions, also when all is synced', async () => {
    const { data } = openApp({ path: '/pets' });
    act(() => data.overview.set({ ...nothingUnsent, losers: [loser] }));
    expect(
      await screen.findByRole('button', {
        name: 'Synced. 1 other version to look at. Sync details',
      }),
    ).toBeDefined();
  });

  it('says which dog a version is of, and what was changed', async () => {
    const edits = { name: 1, breed: 1, dob: 1 };
    const fields = { name: 'Brambel', dob: '2020-02-29' };
    const ofDog: KeptLoser = { ...loser, collection: 'pets', documentId: 'pet', fields, edits };
    const { sheet } = await openSheet({ losers: [ofDog] });
    const [item] = within(sheet.getByRole('list', { name: 'Other versions' })).getAllByRole(
      'listitem',
    );
    expect(item?.textContent).toContain(
      'Name: Brambel\nBreed: none\nDate of birth: 29 February 2020',
    );
    expect(item?.textContent).toContain('Bramble · Written on this device, but changed meanwhile');
  });

  it('does not bring back a part of a dog that was deleted since', async () => {
    const part: KeptLoser = {
      ...loser,
      collection: 'pets',
      documentId: 'gone',
      petId: null,
      fields: { breed: 'Vizsla' },
    };
    const { sheet } = await openSheet({ losers: [part] });
    expect(sheet.getByText('Its dog was deleted.')).toBeDefined();
    expect(sheet.queryByRole('button', { name: 'Restore' })).toBeNull();
    expect(sheet.getByRole('button', { name: 'Export' })).toBeDefined();
  });

  it('shows all of a long version on request', async () => {
    const long = `${'a walk '.repeat(60)}home`;
    const { user, sheet } = await openSheet({ losers: [{ ...loser, fields: { text: long } }] });
    expect(sheet.queryByText(long)).toBeNull();
    await user.click(sheet.getByRole('button', { name: 'Show all' }));
    expect(sheet.getByText(long)).toBeDefined();
  });

  it('moves a version to another dog when its own was deleted', async () => {
    const restoreLoser = vi.fn<Commands['restoreLoser']>(() => Promise.resolve());
    const homeless: KeptLoser = { ...loser, petId: 'gone', reason: 'deleted' };
    const { user, sheet, data } = await openSheet({ losers: [homeless] }, { restoreLoser });
    expect(sheet.queryByRole('button', { name: 'Restore' })).toBeNull();
    act(() => data.pets.set([petRow('juno', 'Juno'), petRow('otter', 'Otter')]));
    await user.click(sheet.getByRole('button', { name: 'Move to another dog' }));
    await user.click(sheet.getByRole('button', { name: 'Move to Otter' }));
    expect(restoreLoser).toHaveBeenCalledWith('lost', 'otter');
  });

  it('exports other versions too', async () => {
    const { sheet } = await openSheet({ losers: [loser] });
    expect(sheet.getByRole('button', { name: 'Export unsent' })).toBeDefined();
  });

  it('restores and discards other versions', async () => {
    const restoreLoser = vi.fn<Commands['restoreLoser']>(() => Promise.resolve());
    const discardLoser = vi.fn<Commands['discardLoser']>(() => Promise.resolve());
    const commands = { restoreLoser, discardLoser };
    const { user, sheet } = await openSheet({ losers: [loser] }, commands);
    expect(sheet.getByText('what I wrote')).toBeDefined();
    await user.click(sheet.getByRole('button', { name: 'Restore' }));
    await user.click(sheet.getByRole('button', { name: 'Discard' }));
    await user.click(sheet.getByRole('button', { name: 'Really discard' }));
    expect(restoreLoser).toHaveBeenCalledWith('lost');
    expect(discardLoser).toHaveBeenCalledWith('lost');
  });
});
