import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeData, petRow } from '../../tests/support/fakes/fake-data.ts';
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
  it('is prefetched after 100 ms of hovering', async () => {
    const { link, preload } = await openSettings();
    fireEvent.mouseEnter(link);
    pass(99);
    expect(preload).not.toHaveBeenCalled();
    pass(1);
    expect(preload).toHaveBeenCalledOnce();
  });

  it('is not prefetched if the pointer only passes over it', async () => {
    const { link, preload } = await openSettings();
    fireEvent.mouseEnter(link);
    pass(60);
    fireEvent.mouseLeave(link);
    pass(1_000);
    expect(preload).not.toHaveBeenCalled();
  });

  it('is prefetched after 100 ms of focus', async () => {
    const { link, preload } = await openSettings();
    fireEvent.focus(link);
    pass(99);
    expect(preload).not.toHaveBeenCalled();
    pass(1);
    expect(preload).toHaveBeenCalledOnce();
  });
});

describe('an address with parameters that make no sense', () => {
  it.each([
    ['/search?q=true&pet={"a":1}', 'Search'],
    ['/search?q=[1,2]&kind=7', 'Search'],
    ['/pets/pet/profile?at=[1]', 'Bramble'],
    ['/pets/pet/actions/change-profile-picture?share=&file=', 'Profile Picture'],
  ])('%s opens its page', async (path, heading) => {
    const data = fakeData();
    data.pets.set([petRow('pet', 'Bramble'), petRow('other', 'Otter')]);
    const feed = vi.spyOn(data.queries, 'feedKeyBefore');
    openApp({ path, data });
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(heading);
    await act(async () => data.commands());
    expect(screen.queryByText('Something went wrong.')).toBeNull();
    expect(feed).not.toHaveBeenCalled();
  });
});
