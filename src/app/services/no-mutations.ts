import type { MutationCache as Replaced } from '@tanstack/react-query';

/**
 * Replaces the `MutationCache` of React Query in the bundles (`scripts/bundle/bundle-aliases.ts`). PawPals writes by
 * commands, so its query client has no mutations.
 */
export class MutationCache implements Pick<
  Replaced,
  'clear' | 'findAll' | 'resumePausedMutations'
> {
  clear = (): void => undefined;
  findAll = (): [] => [];
  resumePausedMutations = async (): Promise<void> => undefined;
}
