import { createStore } from 'jotai';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startServiceWorker } from './service-worker.ts';

it('registers the worker again with a new connection and on return to the page, until there is one', async () => {
  // Outside of production, Workbox refuses to register twice.
  vi.stubEnv('NODE_ENV', 'production');
  onTestFinished(() => void vi.unstubAllEnvs());
  const register = vi.fn<() => Promise<EventTarget>>().mockRejectedValueOnce(new TypeError());
  register.mockResolvedValue(new EventTarget());
  const fake: { controller: unknown; register: () => Promise<EventTarget> } = {
    controller: null,
    register,
  };
  const container = Object.assign(new EventTarget(), fake);
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));
  const log = vi.fn<() => void>();

  await startServiceWorker({ store: createStore(), log });
  expect(log).toHaveBeenCalledTimes(1);
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(register).toHaveBeenCalledTimes(2));
  // The first installation may fail after the registration, too.
  window.dispatchEvent(new Event('focus'));
  await vi.waitFor(() => expect(register).toHaveBeenCalledTimes(3));
  container.controller = { scriptURL: '' };
  window.dispatchEvent(new Event('focus'));
  window.dispatchEvent(new Event('online'));
  expect(register).toHaveBeenCalledTimes(3);
});
