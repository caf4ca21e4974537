import type { createStore } from 'jotai';
import type { Data } from '../../data/data-context.ts';
import { firstValue } from '../../lib/async/first-value.ts';
import { countedVisits, noteInvited, wasInvited } from '../../platform/install/install-memory.ts';
import { installWayAtom, type InstallWay } from '../../platform/install/install-offer.ts';
import { toastsAtom, toastsOf } from '../../platform/toasts.ts';
import type { createAppRouter } from '../router.ts';
import { dataAtom } from '../session/session-controller.ts';

export interface InstallInvitationOptions {
  readonly store: ReturnType<typeof createStore>;
  readonly router: Pick<ReturnType<typeof createAppRouter>, 'subscribe' | 'state' | 'navigate'>;
}

const toastId = 'install';
const dueNotes = 3;
const dueVisits = 2;
/** The toast covers the top of the page, so it closes by itself; Settings and the menu still offer the install. */
const shownMs = 15_000;
/** The page on which nobody types or records. */
const calmPath = '/pets';

/** Returns true for an owner who comes back, or has written a few notes, and so knows the use of an installed app. */
async function isDue({ queries }: Data): Promise<boolean> {
  const visits = countedVisits();
  const pets = await firstValue(queries.pets());
  if (pets.length === 0) return false;
  if (visits >= dueVisits) return true;
  const sizes = await Promise.all(pets.map(({ id }) => queries.journalSize(id)));
  return sizes.reduce((sum, { notes, voiceNotes }) => sum + notes + voiceNotes, 0) >= dueNotes;
}

/**
 * Invites to install the app where that is possible: once in the life of the browser's storage, on My Dogs, and only
 * while its owner stays there.
 */
export function inviteToInstall({ store, router }: InstallInvitationOptions): void {
  const toasts = toastsOf(store);
  /** Whether the top of the page is free: an invitation below others would cover all of a short list. */
  const hasRoom = (): boolean =>
    store.get(toastsAtom).length === 0 &&
    document.querySelector('[aria-label="Recovered recordings"]') === null;
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
      if (wasInvited() || !hasRoom()) return;
      noteInvited();
      toasts.show({
        id: toastId,
        message: 'Keep PawPals on your home screen: it opens like an app, also offline.',
        durationMs: shownMs,
        action: { label: 'Install', onSelect: () => take(way) },
      });
    }
  };
  // A failed read or write of storage only skips the invitation.
  const look = (): void => void consider().catch(() => undefined);

  router.subscribe('onResolved', look);
  store.sub(installWayAtom, look);
  store.sub(dataAtom, look);
  look();
}
