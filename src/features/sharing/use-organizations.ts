import { useEffect, useState } from 'react';
import type { Organization } from '../../../schemas/organization.ts';
import { useData } from '../../data/data-context.ts';

export type OrganizationsState =
  | { readonly step: 'loading' | 'failed' }
  | { readonly step: 'loaded'; readonly organizations: readonly Organization[] };

/** What only the server knows: asked for while it is shown, and kept for a minute. */
export function useOrganizations(): {
  readonly state: OrganizationsState;
  readonly retry: () => void;
} {
  const { organizations } = useData();
  const [answer, setAnswer] = useState(organizations);
  const [state, setState] = useState<OrganizationsState>({ step: 'loading' });

  useEffect(() => {
    let isCurrent = true;
    const tell = (next: OrganizationsState): void => {
      if (isCurrent) setState(next);
    };
    answer.then(
      (found) => tell({ step: 'loaded', organizations: found }),
      () => tell({ step: 'failed' }),
    );
    return () => {
      isCurrent = false;
    };
  }, [answer]);

  return {
    state,
    retry: () => {
      setState({ step: 'loading' });
      setAnswer(organizations());
    },
  };
}
