import type { createStore } from 'jotai';
import { followBadge } from './sync/follow-badge.ts';
import { inviteToInstall } from './pwa/install-invitation.ts';
import { followShortcuts } from './key-shortcuts.ts';
import { consoleLog } from './log.ts';
import type { createAppRouter } from './router.ts';
import { startServiceWorker } from './pwa/service-worker.ts';
import { remindOfSharedItems } from './pwa/share-target.ts';

export interface BackgroundTasks {
  readonly store: ReturnType<typeof createStore>;
  readonly router: ReturnType<typeof createAppRouter>;
}

/** Starts the tasks that run beside the screens. Callers wait until the page is idle. */
export async function startBackgroundTasks(parts: BackgroundTasks): Promise<void> {
  // Without a worker the app still runs, but online only.
  if (import.meta.env.PROD) void startServiceWorker({ ...parts, log: consoleLog });
  followShortcuts({ ...parts, page: document });
  followBadge(parts.store, navigator);
  inviteToInstall(parts);
  consoleLog('background-tasks-started');
  await remindOfSharedItems(parts);
}
