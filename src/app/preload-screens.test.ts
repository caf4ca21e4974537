import { afterEach, expect, it, vi } from 'vitest';
import { preloadScreens } from './preload-screens.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['no workers', {}, 2],
  ['a worker that has not got the app yet', { serviceWorker: { controller: null } }, 2],
  ['a worker that gave it the page', { serviceWorker: { controller: {} } }, 0],
])('with %s', async (_, navigator, loaded) => {
  vi.stubGlobal('navigator', navigator);
  const load = vi.fn<() => Promise<void>>(async () => undefined);
  await preloadScreens(['one', 'two'], load);
  expect(load).toHaveBeenCalledTimes(loaded);
});
