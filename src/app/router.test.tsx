import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openApp } from '../../tests/support/setups/open-app.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function openSettings() {
  const { router } = openApp({ path: '/settings' });
  const link = await screen.findByRole('link', { name: 'Privacy policy' });
  const preload = vi.spyOn(router, 'preloadRoute').mockResolvedValue(undefined);
  vi.useFakeTimers();
  return { link, preload };
}

function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}

describe('a link', () => {
  it('that is pointed at is prefetched after 100 ms', async () => {
    const { link, preload } = await openSettings();
    fireEvent.mouseEnter(link);
    pass(99);
    expect(preload).not.toHaveBeenCalled();
    pass(1);
    expect(preload).toHaveBeenCalledOnce();
  });

  it('that is passed over is not', async () => {
    const { link, preload } = await openSettings();
    fireEvent.mouseEnter(link);
    pass(60);
    fireEvent.mouseLeave(link);
    pass(1_000);
    expect(preload).not.toHaveBeenCalled();
  });

  it('that is focused is prefetched after 100 ms', async () => {
    const { link, preload } = await openSettings();
    fireEvent.focus(link);
    pass(99);
    expect(preload).not.toHaveBeenCalled();
    pass(1);
    expect(preload).toHaveBeenCalledOnce();
  });
});
