import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import type { Organization } from '../../../schemas/organization.ts';
import { useData } from '../../data/data-context.ts';

export interface Organizations {
  /** The newest answer of the server; undefined until there is one. */
  readonly organizations: readonly Organization[] | undefined;
  /** There is no answer, and the last request has failed. */
  readonly isFailed: boolean;
  readonly retry: () => void;
}

/** Suspends until the client of the session is open. */
export function useOrganizations(): Organizations {
  const { answers, organizations: ask } = useData();
  const { client } = use(answers());
  const { data, isLoadingError, refetch } = useQuery(
    { queryKey: ['organizations'], queryFn: ask },
    client,
  );
  return { organizations: data, isFailed: isLoadingError, retry: () => void refetch() };
}
