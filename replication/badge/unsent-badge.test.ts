import { expect, it, vi } from 'vitest';
import { showUnsentBadge } from './unsent-badge.ts';

function target() {
  return {
    setAppBadge: vi.fn<(count: number) => Promise<void>>(async () => undefined),
    clearAppBadge: vi.fn<() => Promise<void>>(async () => undefined),
  };
}

it('shows a count, and takes the badge away with nothing unsent', async () => {
  const badge = target();
  await showUnsentBadge(badge, 3);
  expect(badge.setAppBadge).toHaveBeenCalledExactlyOnceWith(3);
  expect(badge.clearAppBadge).not.toHaveBeenCalled();
  await showUnsentBadge(badge, 0);
  expect(badge.clearAppBadge).toHaveBeenCalledOnce();
});

it('does without badges, and with a system that refuses them', async () => {
  await showUnsentBadge({}, 3);
  await showUnsentBadge({}, 0);
  const badge = target();
  badge.setAppBadge.mockRejectedValue(new DOMException('no', 'NotAllowedError'));
  await expect(showUnsentBadge(badge, 3)).resolves.toBeUndefined();
});
