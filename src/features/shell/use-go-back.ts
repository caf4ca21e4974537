import { useNavigate, useParams, useRouter, type RouterHistory } from '@tanstack/react-router';
import { useToasts } from '../../platform/toasts.ts';
import { historyStep } from './history-step.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The number of steps that a finished page goes back, if it differs from the page's default. */
    readonly stepsBack?: number;
  }
}

/** The histories with a step back in flight. */
const stepping = new WeakSet<RouterHistory>();

/** Goes back, and waits for it. A second call before the first has ended does nothing, as for a double tap. */
async function stepBack(history: RouterHistory, steps: number): Promise<void> {
  if (stepping.has(history)) return;
  stepping.add(history);
  await new Promise<void>((resolve) => {
    const unwatch = history.subscribe(() => {
      unwatch();
      resolve();
    });
    history.go(-steps);
  });
  stepping.delete(history);
}

/** The router accepts any case, and a slash at the end. */
function isJournal({ pathname }: RouterHistory['location']): boolean {
  return /\/profile\/?$/i.test(pathname);
}

/**
 * Returns a function that goes some steps back, one by default. If the history is shorter, as after a link from
 * outside, it navigates to the dog's profile, or else to the parent, by default My Dogs.
 */
export function useGoBack(
  parent: '/pets' | '/settings' = '/pets',
): (steps?: number) => Promise<void> {
  const router = useRouter();
  const navigate = useNavigate();
  const { petId } = useParams({ strict: false });

  return async (steps = 1) => {
    const { location } = router.history;
    if (historyStep(location) >= steps) await stepBack(router.history, steps);
    else if (petId !== undefined && !isJournal(location)) {
      await navigate({ to: '/pets/$petId/profile', params: { petId }, replace: true });
    } else await navigate({ to: parent, replace: true });
  };
}

/** Returns a function that navigates away from a finished page, unless the owner has left it meanwhile. */
export function useFinish<Args extends readonly unknown[]>(
  navigate: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  const { history } = useRouter();
  const openedAt = history.location.href;
  return async (...args) => {
    if (history.location.href === openedAt) await navigate(...args);
  };
}

/**
 * Returns a function that leaves a finished page by steps back, see {@link useFinish}.
 * @param steps the number of steps back, if the history state has no other number.
 * @param done a toast for a page without the journal, which would show what was done.
 */
export function useLeave(steps: number, done?: string): () => Promise<void> {
  const { history } = useRouter();
  const goBack = useGoBack();
  const toasts = useToasts();
  return useFinish(async () => {
    await goBack(history.location.state.stepsBack ?? steps);
    if (done !== undefined && !isJournal(history.location)) {
      toasts.show({ message: done, variant: 'success' });
    }
  });
}
