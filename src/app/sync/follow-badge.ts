import type { createStore } from 'jotai';
import { showUnsentBadge, type BadgeTarget } from '../../../replication/badge/unsent-badge.ts';
import { authStateAtom } from '../../platform/auth/session.ts';
import { dataAtom } from '../session/session-controller.ts';

/** Keeps the badge of the app's icon equal to the number of unsent items. The badge stays when the app is closed. */
export function followBadge(store: ReturnType<typeof createStore>, target: BadgeTarget): void {
  let shown: number | null = null;
  let stop: (() => void) | null = null;

  const show = (count: number): void => {
    if (count === shown) return;
    shown = count;
    void showUnsentBadge(target, count);
  };

  const follow = (): void => {
    stop?.();
    stop = null;
    const data = store.get(dataAtom);
    const { user, initialized } = store.get(authStateAtom);
    if (data === null) {
      if (initialized && user === null) show(0);
      return;
    }
    const overview = data.queries.syncOverview();
    const tell = (): void => {
      const now = overview.getSnapshot();
      // Before the files are counted, the number may be too low.
      if (now !== undefined && now.files !== null) show(now.waitingCount + now.parkedCount);
    };
    stop = overview.subscribe(tell);
    tell();
  };

  store.sub(dataAtom, follow);
  follow();
}
