import { useRouter } from '@tanstack/react-router';

/** Returns the key of the current history entry, which differs even between entries of the same address. */
export function useStepKey(): string {
  // oxlint-disable-next-line no-underscore-dangle
  return useRouter().history.location.state.__TSR_key ?? '';
}
