import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { entryTimeText } from './entry-time-text.ts';
import { useNow } from './now.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') });
});

afterEach(() => {
  vi.useRealTimers();
});

function Age({ ms }: { readonly ms: number }) {
  return <p>{entryTimeText(ms, useNow())}</p>;
}

it('times on the page grow older by one shared tick, which ends with the last of them', () => {
  const written = Date.now();
  const shown = render(
    <>
      <Age ms={written} />
      <Age ms={written - 60_000} />
    </>,
  );
  expect(vi.getTimerCount()).toBe(1);
  act(() => {
    vi.advanceTimersByTime(60_000);
  });
  expect(screen.getByText('1 minute ago')).toBeDefined();
  expect(screen.getByText('2 minutes ago')).toBeDefined();
  shown.unmount();
  expect(vi.getTimerCount()).toBe(0);
});
