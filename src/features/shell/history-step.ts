import type { RouterHistory } from '@tanstack/react-router';

/** Returns the number of steps from the page that was opened first to a location, counted by the router. */
export function historyStep({ state }: Pick<RouterHistory['location'], 'state'>): number {
  // The router's `canGoBack` tells only of one step.
  // oxlint-disable-next-line no-underscore-dangle
  return state.__TSR_index;
}
