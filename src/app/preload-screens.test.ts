import { afterEach, expect, it, vi } from 'vitest';
import { preloadScreens } from './preload-screens.ts';

const routesById = { one: { id: 'one' }, two: { id: 'two' } };

function routerOf(loadRouteChunk: () => Promise<void>) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { routesById, loadRouteChunk } as unknown as Parameters<typeof preloadScreens>[0];
}

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['no workers', {}, 2],
  ['a worker that has not got the app yet', { serviceWorker: { controller: null } }, 2],
  ['a worker that gave it the page', { serviceWorker: { controller: {} } }, 0],
])('with %s', async (_, navigator, loaded) => {
  vi.stubGlobal('navigator', navigator);
  const loadRouteChunk = vi.fn<() => Promise<void>>(async () => undefined);
  await preloadScreens(routerOf(loadRouteChunk));
  expect(loadRouteChunk).toHaveBeenCalledTimes(loaded);
});
