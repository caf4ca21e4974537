import { createStore } from 'jotai';
import { expect, it, onTestFinished, vi } from 'vitest';
import { deletedEntryFileKeptMs } from '../../schemas/local/remove-file.ts';
import { toastsAtom, toastsOf } from './toasts.ts';
import { showUndo, type UndoRequest } from './undo-toast.tsx';

function offer(how: Partial<UndoRequest> = {}) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const store = createStore();
  showUndo(toastsOf(store), { message: 'Entry deleted', onUndo: () => undefined, ...how });
  return { isOffered: () => store.get(toastsAtom).length > 0 };
}

it('Undo is offered for less time than the recording is kept', () => {
  const { isOffered } = offer();
  vi.advanceTimersByTime(deletedEntryFileKeptMs / 2);
  expect(isOffered()).toBe(true);
  vi.advanceTimersByTime(deletedEntryFileKeptMs / 2 - 1);
  expect(isOffered()).toBe(false);
});

it('Undo is gone when the device slept so long that the recording may be gone', () => {
  const { isOffered } = offer();
  window.dispatchEvent(new Event('focus'));
  expect(isOffered()).toBe(true);
  // The timers stand still meanwhile.
  vi.setSystemTime(Date.now() + deletedEntryFileKeptMs);
  window.dispatchEvent(new Event('focus'));
  expect(isOffered()).toBe(false);
});

it('an Undo that failed is offered until it is dismissed', () => {
  const { isOffered } = offer({ durationMs: 0 });
  vi.advanceTimersByTime(2 * deletedEntryFileKeptMs);
  window.dispatchEvent(new Event('focus'));
  expect(isOffered()).toBe(true);
});
