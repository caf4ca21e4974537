import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import type { Organization } from '../../../schemas/documents/organization.ts';
import { useData } from '../../data/data-context.ts';

export interface Organizations {
  /** The newest answer of the server; undefined until there is one. */
  readonly organizations: readonly Organization[] | undefined;
  /** Whether a request has failed and there is no answer. It stays true while the next request is in flight. */
  readonly hasFailed: boolean;
  readonly isFetching: boolean;
  readonly retry: () => void;
}

/** Suspends until the client of the session is open. */
export function useOrganizations(): Organizations {
  const { answers, organizations: ask } = useData();
  const { client } = use(answers());
  const { data, errorUpdateCount, isFetching, refetch } = useQuery(
    { queryKey: ['organizations'], queryFn: ask },
    client,
  );
  const hasFailed = data === undefined && errorUpdateCount > 0;
  return { organizations: data, hasFailed, isFetching, retry: () => void refetch() };
}
