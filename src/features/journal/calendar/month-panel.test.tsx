import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { entryRow, fakeData, petRow } from '../../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../../tests/support/setups/open-app.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-20T12:00') });
});

afterEach(() => {
  vi.useRealTimers();
});

function at(time: string): number {
  return new Date(time).getTime();
}

const entries = [
  entryRow('first', at('2025-12-30T08:00')),
  entryRow('morning', at('2026-03-12T08:00')),
  entryRow('noon', at('2026-03-12T12:00')),
  entryRow('evening', at('2026-03-12T20:00')),
  entryRow('newest', at('2026-03-17T09:00')),
  entryRow('of another', at('2026-03-04T09:00'), { petId: 'other' }),
];

async function openMonth(rows: readonly Entry[] = entries) {
  const data = fakeData();
  data.pets.set([petRow('pet', 'Bramble')]);
  data.entries.set(rows);
  const app = openApp({ path: '/pets/pet/profile', data });
  await app.user.click(await screen.findByRole('button', { name: 'Go to a date' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Go to a date' }));
  return { ...app, sheet };
}

function scroller(): HTMLElement {
  const found = screen.getByRole('list', { name: 'Journal' }).parentElement?.parentElement;
  if (!found) throw new Error('Nothing scrolls');
  return found;
}

type Sheet = Awaited<ReturnType<typeof openMonth>>['sheet'];

function monthIn(sheet: Sheet): string | null {
  return sheet.getByRole('grid').getAttribute('aria-label');
}

/** Returns the days that can be chosen. */
function daysIn(sheet: Sheet): (string | null)[] {
  const cells = sheet.getAllByRole('gridcell');
  return cells
    .filter((cell) => cell.getAttribute('aria-disabled') === 'false')
    .map((cell) => cell.getAttribute('aria-label'));
}

describe('the month view', () => {
  it('marks the days of this month that have entries of this dog, with their number', async () => {
    const { sheet } = await openMonth();
    expect(monthIn(sheet)).toBe('March 2026');
    expect(daysIn(sheet)).toEqual(['12 March, 3 entries', '17 March, 1 entry']);
    expect(sheet.getByRole('status').textContent).toBe('2 days with entries');
    // Each date is a cell with one name, and no button within that has it again.
    expect(sheet.getAllByRole('gridcell', { name: /March/ })).toHaveLength(31);
    expect(within(sheet.getByRole('grid')).queryAllByRole('button')).toEqual([]);
    const names = sheet.getAllByRole('columnheader').map((header) => header.textContent);
    expect(names).toEqual(['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']);
    const today = sheet.getByRole('gridcell', { name: '20 March, no entries' });
    expect(today.getAttribute('aria-current')).toBe('date');
  });

  it('opens the journal at the first entry of a day, and leads back with one step', async () => {
    const { user, sheet, path, history } = await openMonth();
    await user.click(sheet.getByRole('gridcell', { name: '12 March, 3 entries' }));
    await waitFor(() => expect(path()).toContain(`?at=${entries[1]?.feedKey}`));
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => {
      expect(document.activeElement).toBe(screen.getByRole('link', { name: 'morning' }));
    });
    scroller().scrollTop = -500;
    fireEvent.scroll(scroller());
    act(() => history.back());
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
    expect(await screen.findByRole('link', { name: 'newest' })).toBeDefined();
    await waitFor(() => expect(scroller().scrollTop).toBe(0));
    act(() => history.forward());
    await waitFor(() => expect(scroller().scrollTop).toBe(-500));
  });

  it('leads to the same day again', async () => {
    const { user, sheet, path, history } = await openMonth();
    await user.click(sheet.getByRole('gridcell', { name: '12 March, 3 entries' }));
    await waitFor(() => {
      expect(document.activeElement).toBe(screen.getByRole('link', { name: 'morning' }));
    });
    await user.click(screen.getByRole('button', { name: 'Go to a date' }));
    await user.click(await screen.findByRole('gridcell', { name: '12 March, 3 entries' }));
    await waitFor(() => {
      expect(document.activeElement).toBe(screen.getByRole('link', { name: 'morning' }));
    });
    expect(path()).toContain('?at=');
    act(() => history.back());
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
  });

  it('does nothing with a day that has no entries', async () => {
    const { user, sheet, path } = await openMonth();
    await user.click(sheet.getByRole('gridcell', { name: '13 March, no entries' }));
    expect(path()).toBe('/pets/pet/profile');
    expect(screen.getByRole('dialog')).toBeDefined();
  });

  it('leads from the month of the first entry to this one, and no further', async () => {
    const { user, sheet } = await openMonth();
    const next = sheet.getByRole('button', { name: 'Next month' });
    const previous = sheet.getByRole('button', { name: 'Previous month' });
    expect(next.getAttribute('aria-disabled')).toBe('true');
    await user.click(next);
    expect(monthIn(sheet)).toBe('March 2026');
    await user.click(previous);
    await user.click(previous);
    await user.click(previous);
    await user.click(previous);
    expect(monthIn(sheet)).toBe('December 2025');
    expect(previous.getAttribute('aria-disabled')).toBe('true');
    expect(daysIn(sheet)).toEqual(['30 December, 1 entry']);
    const months = sheet.getByRole('combobox', { name: 'Month' });
    expect(
      within(months)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['March 2026', 'February 2026', 'January 2026', 'December 2025']);
    await user.selectOptions(months, 'January 2026');
    expect(sheet.getByRole('status').textContent).toBe('No entries in this month');
  });

  it('is operated by keys: the focus begins at the day that is shown, and keeps within the journal', async () => {
    const { user, sheet, path } = await openMonth();
    const focused = () => document.activeElement?.getAttribute('aria-label');
    await waitFor(() => expect(focused()).toBe('20 March, no entries'));
    await user.keyboard('{ArrowRight}');
    expect(focused()).toBe('20 March, no entries');
    await user.keyboard('{Home}{ArrowLeft}');
    expect(focused()).toBe('15 March, no entries');
    await user.keyboard('{PageUp}');
    expect(focused()).toBe('15 February, no entries');
    await user.keyboard('{Shift>}{PageUp}{/Shift}');
    expect(focused()).toBe('30 December, 1 entry');
    await user.keyboard('{PageDown}{PageDown}{PageDown}');
    expect(focused()).toBe('20 March, no entries');
    await user.keyboard('{ArrowUp}{ArrowLeft}{Enter}');
    expect(path()).toContain(`?at=${entries[1]?.feedKey}`);
    expect(sheet).toBeDefined();
  });

  it('shows this month if all that was written is from a device whose clock is ahead', async () => {
    const { user, sheet } = await openMonth([entryRow('ahead', at('2026-05-01T08:00'))]);
    expect(monthIn(sheet)).toBe('March 2026');
    await user.keyboard('{PageUp}{PageDown}{ArrowLeft}');
    expect(document.activeElement?.getAttribute('aria-current')).toBe('date');
    expect(within(sheet.getByRole('combobox')).getAllByRole('option')).toHaveLength(1);
  });

  it('follows the time zone of the device while it is open', async () => {
    vi.stubEnv('TZ', 'Europe/London');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { sheet } = await openMonth([entryRow('late', at('2026-03-12T23:30'))]);
    expect(daysIn(sheet)).toEqual(['12 March, 1 entry']);
    vi.stubEnv('TZ', 'Asia/Tokyo');
    // The page becomes visible.
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(daysIn(sheet)).toEqual(['13 March, 1 entry']));
  });

  it('follows the journal while it is open', async () => {
    const { sheet, data } = await openMonth();
    act(() => data.entries.set([...entries, entryRow('later', at('2026-03-18T09:00'))]));
    expect(daysIn(sheet)).toHaveLength(3);
  });
});
