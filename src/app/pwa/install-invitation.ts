import type { createStore } from 'jotai';
import type { Data } from '../../data/data-context.ts';
import { firstValue } from '../../lib/async/first-value.ts';
import { countedVisits, noteInvited, wasInvited } from '../../platform/install/install-memory.ts';
import { installWayAtom, type InstallWay } from '../../platform/install/install-offer.ts';
import { toastsOf } from '../../platform/toasts.ts';
import type { createAppRouter } from '../router.ts';
import { dataAtom } from '../session/session-controller.ts';

export interface InstallInvitationOptions {
  readonly store: ReturnType<typeof createStore>;
  readonly router: Pick<ReturnType<typeof createAppRouter>, 'subscribe' | 'state' | 'navigate'>;
}

const toastId = 'install';
const dueNotes = 3;
const dueVisits = 2;
/** It lies over the top of the page, and is not to stay there; Settings and the menu still have it. */
const shownMs = 15_000;
/** Where nobody types or records. */
const calmPath = '/pets';

/** Whoever comes back, or has written a few notes, knows what it would be good for. */
async function isDue({ queries }: Data): Promise<boolean> {
  const visits = countedVisits();
  const pets = await firstValue(queries.pets());
  if (pets.length === 0) return false;
  if (visits >= dueVisits) return true;
  const sizes = await Promise.all(pets.map(({ id }) => queries.journalSize(id)));
  return sizes.reduce((sum, { notes, voiceNotes }) => sum + notes + voiceNotes, 0) >= dueNotes;
}

/**
 * Invites to install the app, where that is possible: once in the life of the browser's storage, on My Dogs, and only as
 * long as its owner stays there.
 */
export function inviteToInstall({ store, router }: InstallInvitationOptions): void {
  const toasts = toastsOf(store);
  const isCalm = (): boolean =>
    router.state.location.pathname === calmPath && document.querySelector('dialog[open]') === null;

  const take = (way: InstallWay): void => {
    toasts.dismiss(toastId);
    if (way.kind === 'offer') void way.ask();
    else void router.navigate({ to: '/settings', hash: 'install' });
  };

  const consider = async (): Promise<void> => {
    const way = store.get(installWayAtom);
    const data = store.get(dataAtom);
    if (!isCalm()) toasts.dismiss(toastId);
    else if (way !== null && data !== null && !wasInvited() && (await isDue(data)) && isCalm()) {
      if (wasInvited()) return;
      noteInvited();
      toasts.show({
        id: toastId,
        message: 'Keep PawPals on your home screen: it opens like an app, also offline.',
        durationMs: shownMs,
        action: { label: 'Install', onSelect: () => take(way) },
      });
    }
  };
  // What cannot be read or stored has nothing to do with an invitation.
  const look = (): void => void consider().catch(() => undefined);

  router.subscribe('onResolved', look);
  store.sub(installWayAtom, look);
  store.sub(dataAtom, look);
  look();
}
