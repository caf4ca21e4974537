import { createStore } from 'jotai';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { consoleLog, reasonOf } from './app/log.ts';
import { followPages } from './app/page-focus.ts';
import { preloadScreens } from './app/preload-screens.ts';
import { createAppRouter } from './app/router.ts';
import { createSessionController } from './app/session/session-controller.ts';
import {
  loadAuth,
  loadRemoteFiles,
  loadSync,
  loadTranscriber,
  reportEvicted,
} from './app/services/lazy-services.ts';
import { refuseDraggedFiles } from './lib/dom/dragged-files.ts';
import { ignoreRepeatedPresses } from './lib/dom/repeated-presses.ts';
import { nextTask } from './lib/async/next-task.ts';
import { watchInstallOffer } from './platform/install/install-offer.ts';
import { isNative } from './platform/native-platform.ts';
import { guardPageCache } from './platform/page-cache.ts';
import { whenIdle } from './platform/when-idle.ts';
import './styles/app.css';

const store = createStore();
// Loaded only for a signed-in owner.
const loadOwnerSession = () => import('./app/session/owner-session.ts');
const loadSessionServices = () => import('./app/services/session-services.ts');
guardPageCache();
refuseDraggedFiles(window);
watchInstallOffer(store);
ignoreRepeatedPresses(document, () => location.href);
const controller = createSessionController({
  store,
  log: consoleLog,
  loadAuth,
  loadSync,
  readOrganizations: async () => (await loadSessionServices()).readOrganizations(),
  // If this code does not load, the erasure stays noted, and runs at the next start.
  queueErasure: async (...of) => (await loadSessionServices()).queueErasure(...of),
  eraseShares: async (...of) => (await loadSessionServices()).eraseShares(...of),
  openOwner: async (options) =>
    (await loadOwnerSession()).openOwnerSession({ ...options, loadRemoteFiles, loadTranscriber }),
  loadSessionOnlySignIns: async () => (await loadSessionServices()).openSessionOnlySignIns(),
  onOpened: (data, ended) => reportEvicted(store, data, ended),
  hasUnsent: async (data) => (await loadSessionServices()).hasUnsent(data),
  onFoundUnsent: async (data) => (await loadSessionServices()).tellFoundUnsent(store, data),
});
const router = createAppRouter({ store, log: consoleLog });
// It follows from the start: the background tasks come seconds later.
followPages(router);

async function startNative(): Promise<void> {
  try {
    const native = await import('./app/native/native.ts');
    await native.startNative({ store, router });
  } catch {
    consoleLog('native-not-started');
  }
}

function render(element: Element): void {
  // React renders a transition in slices, so that the page stays responsive.
  startTransition(() =>
    createRoot(element).render(
      <StrictMode>
        <App store={store} session={controller.session} router={router} />
      </StrictMode>,
    ),
  );
}

function start(element: Element): void {
  // The code has loaded, so the hint about a slow connection goes. The hint about another tab stays until the database opens.
  element.querySelector('.comes-late')?.remove();
  // The code of the first screen has already run as a separate task.
  nextTask()
    .then(() => controller.start())
    .catch((error: unknown) => {
      consoleLog('start-failed', reasonOf(error));
    })
    .finally(() => {
      render(element);
      if (isNative()) void startNative();
      whenIdle(() => {
        controller.tidy().catch(() => consoleLog('not-tidied'));
        import('./app/start-background-tasks.ts')
          .then(({ startBackgroundTasks }) => startBackgroundTasks({ store, router }))
          .catch(() => consoleLog('background-tasks-failed'));
        preloadScreens(Object.values(router.routesById), (route) =>
          router.loadRouteChunk(route),
        ).catch(() => consoleLog('screens-not-preloaded'));
      });
    });
}

// `old-browser.js` removes the root from a browser in which the app cannot run.
const root = document.querySelector('#root');
if (root !== null) start(root);
