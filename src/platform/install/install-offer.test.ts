import { createStore } from 'jotai';
import { afterEach, expect, it, vi } from 'vitest';
import { installWayAtom, watchInstallOffer } from './install-offer.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function watch() {
  const store = createStore();
  watchInstallOffer(store);
  return () => store.get(installWayAtom);
}

function offer() {
  const prompt = vi.fn<() => Promise<void>>(async () => undefined);
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  window.dispatchEvent(event);
  return { prompt, event };
}

const beDevice = (userAgent: string, maxTouchPoints = 0) =>
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints });

it('keeps the offer of the browser, which can be taken once', async () => {
  const way = watch();
  expect(way()).toBeNull();
  const { prompt, event } = offer();
  expect(event.defaultPrevented).toBe(true);
  const offered = way();
  if (offered?.kind !== 'offer') throw new Error('no offer');
  await offered.ask();
  expect(prompt).toHaveBeenCalledOnce();
  expect(way()).toBeNull();
});

it('has nothing to offer once it is installed', () => {
  const way = watch();
  offer();
  window.dispatchEvent(new Event('appinstalled'));
  expect(way()).toBeNull();
});

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1', 5, 'by-hand'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', 5, 'by-hand'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', 0, undefined],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile', 5, undefined],
])('on %s with %d touch points it is %s', (userAgent, points, kind) => {
  beDevice(userAgent, points);
  expect(watch()()?.kind).toBe(kind);
});

it('offers nothing inside the installed app', () => {
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), {
      media,
      matches: media.includes('standalone'),
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
  );
  const way = watch();
  offer();
  expect(way()).toBeNull();
});
