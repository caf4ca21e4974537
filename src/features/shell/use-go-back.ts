import { useNavigate, useParams, useRouter, type RouterHistory } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many steps back a page leads once it has done its work, where that is not what it usually is. */
    readonly stepsBack?: number;
  }
}

/** Histories on their way back. */
const stepping = new WeakSet<RouterHistory>();

/** A second tap, which comes before the first has led anywhere, leads nowhere. */
function stepBack(history: RouterHistory, steps: number): void {
  if (stepping.has(history)) return;
  stepping.add(history);
  const unwatch = history.subscribe(() => {
    unwatch();
    stepping.delete(history);
  });
  history.go(-steps);
}

/**
 * Some steps back, one if it is not said. Where there is less history, as for those who came by a link from outside, to the
 * dog's profile, else to My Dogs.
 */
export function useGoBack(): (steps?: number) => Promise<void> {
  const router = useRouter();
  const navigate = useNavigate();
  const { petId } = useParams({ strict: false });

  return async (steps = 1) => {
    const { pathname, state } = router.history.location;
    // The router's own count of the steps since the page was opened; its `canGoBack` tells only of one.
    // oxlint-disable-next-line no-underscore-dangle
    if (state.__TSR_index >= steps) stepBack(router.history, steps);
    else if (petId !== undefined && !pathname.endsWith('/profile')) {
      await navigate({ to: '/pets/$petId/profile', params: { petId }, replace: true });
    } else await navigate({ to: '/pets', replace: true });
  };
}

/**
 * Some steps back from a page whose work is done: nowhere, if the owner has left it meanwhile.
 * @param steps where the page was not opened with another number in its history state.
 */
export function useLeave(steps: number): () => Promise<void> {
  const router = useRouter();
  const goBack = useGoBack();
  const openedAt = router.history.location.href;
  return async () => {
    const { href, state } = router.history.location;
    if (href === openedAt) await goBack(state.stepsBack ?? steps);
  };
}
