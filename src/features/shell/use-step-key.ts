import { useRouter } from '@tanstack/react-router';

/** What tells this step in the history from every other, also from one to the same address. */
export function useStepKey(): string {
  // oxlint-disable-next-line no-underscore-dangle
  return useRouter().history.location.state.__TSR_key ?? '';
}
