import type { createStore } from 'jotai';
import { createShareStore, type ShareStore } from '../../../replication/shares/share-store.ts';
import { systemClock } from '../../platform/system-clock.ts';
import { toastsOf } from '../../platform/toasts.ts';
import type { createAppRouter } from '../router.ts';
import { dataAtom } from '../session/session-controller.ts';

export interface WaitingSharesOptions {
  readonly store: ReturnType<typeof createStore>;
  readonly router: Pick<ReturnType<typeof createAppRouter>, 'state' | 'navigate'>;
  readonly shares?: Pick<ShareStore, 'removeOld'>;
}

/** It lies over the top of the page, and is not to stay there. */
const shownMs = 15_000;

/** Reminds the owner of what was shared with them and left. For a start of the app. */
export async function tellWaitingShares(options: WaitingSharesOptions): Promise<void> {
  const { store, router } = options;
  const data = store.get(dataAtom);
  if (data === null) return;
  const { shares = createShareStore(data.uid, systemClock.now) } = options;
  const [oldest] = await shares.removeOld();
  if (oldest === undefined || 'share' in router.state.location.search) return;
  toastsOf(store).show({
    message: 'Something you shared is still waiting for its dog.',
    durationMs: shownMs,
    action: {
      label: 'Open',
      onSelect: () => void router.navigate({ to: '/quick/share', search: { share: oldest } }),
    },
  });
}
