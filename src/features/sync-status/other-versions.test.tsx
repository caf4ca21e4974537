import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { nothingUnsent, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { version, openSheet } from '../../../tests/support/setups/open-sheet.tsx';
import type { Commands } from '../../data/commands/commands.ts';
import type { KeptVersion } from '../../data/queries/queries.ts';

/** Taps twice at one place, where the first tap may have put another button. */
function doubleTap(button: () => HTMLElement): void {
  fireEvent.click(button(), { detail: 1 });
  fireEvent.click(button(), { detail: 2 });
}

describe('other versions', () => {
  it('is asked for by other versions, also when all is synced', async () => {
    const { data } = openApp({ path: '/pets' });
    act(() => data.overview.set({ ...nothingUnsent, versions: [version] }));
    expect(
      await screen.findByRole('button', {
        name: 'Synced. 1 other version to look at. Sync details',
      }),
    ).toBeDefined();
  });

  it('show the dog of a version, and its changes', async () => {
    const edits = { name: 1, breed: 1, dob: 1 };
    const fields = { name: 'Brambel', dob: '2020-02-29' };
    const ofDog: KeptVersion = { ...version, collection: 'pets', documentId: 'pet', fields, edits };
    const { sheet } = await openSheet({ versions: [ofDog] });
    const [item] = within(sheet.getByRole('list', { name: 'Other versions' })).getAllByRole(
      'listitem',
    );
    expect(item?.textContent).toContain(
      'Name: Brambel\nBreed: none\nDate of birth: 29 February 2020',
    );
    expect(item?.textContent).toContain('Bramble · Written on this device, but changed meanwhile');
  });

  it('does not bring back a part of a dog that was deleted since', async () => {
    const part: KeptVersion = {
      ...version,
      collection: 'pets',
      documentId: 'gone',
      petId: null,
      fields: { breed: 'Vizsla' },
    };
    const { sheet } = await openSheet({ versions: [part] });
    expect(sheet.getByText('Its dog was deleted.')).toBeDefined();
    expect(sheet.queryByRole('button', { name: 'Restore' })).toBeNull();
    expect(sheet.getByRole('button', { name: 'Export' })).toBeDefined();
  });

  it('shows all of a long version on request', async () => {
    const long = `${'a walk '.repeat(60)}home`;
    const { user, sheet } = await openSheet({ versions: [{ ...version, fields: { text: long } }] });
    expect(sheet.queryByText(long)).toBeNull();
    await user.click(sheet.getByRole('button', { name: 'Show all' }));
    expect(sheet.getByText(long)).toBeDefined();
  });

  it('moves a version to another dog when its own was deleted', async () => {
    const restoreConflictVersion = vi.fn<Commands['restoreConflictVersion']>(() =>
      Promise.resolve(),
    );
    const homeless: KeptVersion = { ...version, petId: 'gone', reason: 'deleted' };
    const { user, sheet, data } = await openSheet(
      { versions: [homeless] },
      { restoreConflictVersion },
    );
    expect(sheet.queryByRole('button', { name: 'Restore' })).toBeNull();
    act(() => data.pets.set([petRow('juno', 'Juno'), petRow('otter', 'Otter')]));
    await user.click(sheet.getByRole('button', { name: 'Move to another dog' }));
    await user.click(sheet.getByRole('button', { name: 'Move to Otter' }));
    expect(restoreConflictVersion).toHaveBeenCalledWith('lost', 'otter');
  });

  it('is neither moved nor discarded by a double tap', async () => {
    const restoreConflictVersion = vi.fn<Commands['restoreConflictVersion']>();
    const discardConflictVersion = vi.fn<Commands['discardConflictVersion']>();
    const homeless: KeptVersion = { ...version, petId: 'gone', reason: 'deleted' };
    const { sheet, data } = await openSheet(
      { versions: [homeless] },
      { restoreConflictVersion, discardConflictVersion },
    );
    act(() => data.pets.set([petRow('juno', 'Juno'), petRow('otter', 'Otter')]));
    doubleTap(() => sheet.getByRole('button', { name: /discard/i }));
    expect(sheet.getByRole('button', { name: 'Really discard' })).toBeDefined();
    doubleTap(() => sheet.getByRole('button', { name: /^Move to (another dog|Juno)$/ }));
    expect(sheet.getByRole('button', { name: 'Move to Juno' })).toBeDefined();
    await act(async () => data.commands());
    expect(restoreConflictVersion).not.toHaveBeenCalled();
    expect(discardConflictVersion).not.toHaveBeenCalled();
  });

  it('exports other versions too', async () => {
    const { sheet } = await openSheet({ versions: [version] });
    expect(sheet.getByRole('button', { name: 'Export unsent' })).toBeDefined();
  });

  it('restores and discards other versions', async () => {
    const restoreConflictVersion = vi.fn<Commands['restoreConflictVersion']>(() =>
      Promise.resolve(),
    );
    const discardConflictVersion = vi.fn<Commands['discardConflictVersion']>(() =>
      Promise.resolve(),
    );
    const commands = { restoreConflictVersion, discardConflictVersion };
    const { user, sheet } = await openSheet({ versions: [version] }, commands);
    expect(sheet.getByText('what I wrote')).toBeDefined();
    await user.click(sheet.getByRole('button', { name: 'Restore' }));
    await user.click(sheet.getByRole('button', { name: 'Discard' }));
    await user.click(sheet.getByRole('button', { name: 'Really discard' }));
    expect(restoreConflictVersion).toHaveBeenCalledWith('lost');
    expect(discardConflictVersion).toHaveBeenCalledWith('lost');
  });
});
