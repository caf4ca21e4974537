import { createStore } from 'jotai';
import { expect, it, onTestFinished, vi } from 'vitest';
import { authStateAtom } from '../../platform/auth/session.ts';
import { systemClock } from '../../platform/system-clock.ts';
import { toastsAtom } from '../../platform/toasts.ts';
import { startServiceWorker } from './service-worker.ts';

/** Replaces the browser's workers. Outside of production, Workbox refuses to register twice. */
function stubContainer<T extends object>(members: T): T & EventTarget {
  vi.stubEnv('NODE_ENV', 'production');
  onTestFinished(() => void vi.unstubAllEnvs());
  const container = Object.assign(new EventTarget(), members);
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));
  return container;
}

interface FakeWorker extends EventTarget {
  state: string;
  readonly postMessage: (message: unknown) => void;
}

function createWorker(state: string): FakeWorker {
  const scriptURL = `${location.origin}/sw.js`;
  return Object.assign(new EventTarget(), { state, scriptURL, postMessage: vi.fn<() => void>() });
}

function enter(worker: FakeWorker, state: string): void {
  worker.state = state;
  worker.dispatchEvent(new Event('statechange'));
}

/** Starts a page under an active worker, with the versions that the browser knows already. */
async function openPage({
  isHardReload = false,
  ...known
}: {
  readonly waiting?: FakeWorker;
  readonly installing?: FakeWorker;
  /** Whether the owner has held Shift while reloading, so that no worker controls the page. */
  readonly isHardReload?: boolean;
}) {
  const active = createWorker('activated');
  const workers = { active, waiting: null, installing: null, ...known } as {
    waiting: FakeWorker | null;
    installing: FakeWorker | null;
  };
  const registration = Object.assign(new EventTarget(), workers);
  const container = stubContainer({
    controller: isHardReload ? null : active,
    ready: Promise.resolve(registration),
    register: async () => registration,
  });
  const store = createStore();
  await startServiceWorker({ store, log: vi.fn<() => void>() });
  const shown = () => store.get(toastsAtom).map(({ message }) => message);
  const signIn = (uid: string | null): void => {
    const user = uid === null ? null : { uid, email: null, displayName: null };
    store.set(authStateAtom, (state) => ({ ...state, user }));
  };
  return {
    shown,
    signIn,
    close: () => store.set(toastsAtom, []),
    update: () => store.get(toastsAtom)[0]?.action?.onSelect(),
    takeOver: () => container.dispatchEvent(new Event('controllerchange')),
    /** The browser has found a version and fetches it. */
    find: () => {
      const worker = createWorker('installing');
      registration.installing = worker;
      registration.dispatchEvent(new Event('updatefound'));
      return worker;
    },
    breakOff: (worker: FakeWorker) => {
      registration.installing = null;
      enter(worker, 'redundant');
    },
    install: (worker: FakeWorker) => {
      const former = registration.waiting;
      registration.installing = null;
      registration.waiting = worker;
      if (former !== null) enter(former, 'redundant');
      enter(worker, 'installed');
    },
  };
}

const ready = ['A new version of PawPals is ready.'];

it('registers the worker again with a new connection and on return to the page, until there is one', async () => {
  const register = vi.fn<() => Promise<EventTarget>>().mockRejectedValueOnce(new TypeError());
  register.mockResolvedValue(new EventTarget());
  const container = stubContainer<{
    controller: unknown;
    ready: Promise<unknown>;
    register: () => Promise<EventTarget>;
  }>({ controller: null, ready: new Promise(() => undefined), register });
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

it('offers a version whose first fetch broke off, on a page that is open for long', async () => {
  const page = await openPage({});
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 3_600_000);
  page.breakOff(page.find());
  page.install(page.find());
  await vi.waitFor(() => expect(page.shown()).toEqual(ready));
});

it('offers each further release, also after the owner has closed the offer of another', async () => {
  const now = vi.spyOn(systemClock, 'now').mockReturnValue(0);
  const page = await openPage({});
  for (const hour of [1, 2, 3]) {
    now.mockReturnValue(hour * 3_600_000);
    page.install(page.find());
    await vi.waitFor(() => expect(page.shown()).toEqual(ready));
    page.close();
  }
});

it('offers a version that waited, or was being installed, before the page asked', async () => {
  const waiting = await openPage({ waiting: createWorker('installed') });
  await vi.waitFor(() => expect(waiting.shown()).toEqual(ready));
  const installing = createWorker('installing');
  const page = await openPage({ installing });
  page.install(installing);
  await vi.waitFor(() => expect(page.shown()).toEqual(ready));
});

it('goes on to offer a version while owners sign out and in', async () => {
  const page = await openPage({ waiting: createWorker('installed') });
  await vi.waitFor(() => expect(page.shown()).toEqual(ready));
  for (const uid of ['one', null, 'other']) page.signIn(uid);
  expect(page.shown()).toEqual(ready);
});

async function openAfterHardReload() {
  const reload = vi.fn<() => void>();
  const { href, origin } = location;
  vi.stubGlobal('location', { href, origin, reload });
  const waiting = createWorker('installed');
  const page = await openPage({ waiting, isHardReload: true });
  await vi.waitFor(() => expect(page.shown()).toEqual(ready));
  return { page, waiting, reload };
}

it('reloads a page without a controller after the owner has pressed Update in it', async () => {
  const { page, waiting, reload } = await openAfterHardReload();
  page.update();
  await vi.waitFor(() => expect(waiting.postMessage).toHaveBeenCalledTimes(1));
  page.takeOver();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

it('reloads a page without a controller after the owner has pressed Update in another tab', async () => {
  const { page, reload } = await openAfterHardReload();
  page.takeOver();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});
