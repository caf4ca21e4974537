import { useNavigate, useParams, useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many steps back a page leads once it has done its work, where that is not what it usually is. */
    readonly stepsBack?: number;
  }
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
    if (state.__TSR_index >= steps) router.history.go(-steps);
    else if (petId !== undefined && !pathname.endsWith('/profile')) {
      await navigate({ to: '/pets/$petId/profile', params: { petId }, replace: true });
    } else await navigate({ to: '/pets', replace: true });
  };
}

/** Leads away from an action on a dog that is done: to where its menu was opened. */
export function useLeaveAction(): () => Promise<void> {
  const router = useRouter();
  const goBack = useGoBack();
  return () => goBack(router.history.location.state.stepsBack ?? 2);
}
