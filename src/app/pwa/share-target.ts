import type { createStore } from 'jotai';
import { createShareStore, type ShareStore } from '../../../replication/shares/share-store.ts';
import { systemClock } from '../../platform/system-clock.ts';
import { toastsOf } from '../../platform/toasts.ts';
import type { createAppRouter } from '../router.ts';
import { dataAtom } from '../session/session-controller.ts';

export interface SharedItemsReminder {
  readonly store: ReturnType<typeof createStore>;
  readonly router: Pick<ReturnType<typeof createAppRouter>, 'state' | 'navigate'>;
  readonly shares?: Pick<ShareStore, 'removeOld'>;
}

/** The toast covers the top of the page, so it closes by itself. */
const shownMs = 15_000;

const remindedKey = 'pawpals.reminded';

/**
 * Reminds the owner at the start of the app of shared items that are not used yet. A reload does not repeat the reminder
 * of the same item.
 */
export async function remindOfSharedItems(options: SharedItemsReminder): Promise<void> {
  const { store, router } = options;
  const data = store.get(dataAtom);
  if (data === null) return;
  const { shares = createShareStore(data.uid, systemClock.now) } = options;
  const [oldest] = await shares.removeOld();
  if (oldest === undefined || 'share' in router.state.location.search) return;
  if (sessionStorage.getItem(remindedKey) === oldest) return;
  sessionStorage.setItem(remindedKey, oldest);
  toastsOf(store).show({
    message: 'Something you shared is still waiting for its dog.',
    durationMs: shownMs,
    action: {
      label: 'Open',
      onSelect: () => void router.navigate({ to: '/quick/share', search: { share: oldest } }),
    },
  });
}
