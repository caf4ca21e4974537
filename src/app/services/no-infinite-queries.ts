/**
 * Replaces the infinite queries of React Query in the bundles (`scripts/bundle/bundle-aliases.ts`). Lists are read from
 * the database of the device, so PawPals has none.
 */
export function infiniteQueryBehavior(): never {
  throw new Error('There are no infinite queries here');
}

export const hasNextPage = (): boolean => false;
export const hasPreviousPage = (): boolean => false;
