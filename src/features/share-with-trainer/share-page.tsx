import CloudOff from 'lucide-react/icons/cloud-off';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import Users from 'lucide-react/icons/users';
import { Suspense, type ReactNode } from 'react';
import type { Organization } from '../../../schemas/documents/organization.ts';
import { somethingWentWrong } from '../../../schemas/copy/form-copy.ts';
import { compareNames } from '../../lib/text/compare-names.ts';
import { countText } from '../../lib/text/count-text.ts';
import { useIsOnline } from '../../platform/connection.ts';
import { Button } from '../../ui/button.tsx';
import { ComingSoon } from '../../ui/coming-soon.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useOrganizations } from './use-organizations.ts';

export interface SharePageProps {
  /** The dog that the page is about. */
  readonly children: ReactNode;
}

export function SharePage({ children }: SharePageProps) {
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <div className="page-column flex flex-1 flex-col gap-6 pt-4 pb-8">
        {children}
        <div className="flex flex-wrap items-center gap-3">
          <ComingSoon />
          <p className="text-ink-soft">You cannot share a profile yet.</p>
        </div>
        <Suspense fallback={<OrganizationSkeletons />}>
          <Organizations />
        </Suspense>
      </div>
    </div>
  );
}

function Organizations() {
  const { organizations, hasFailed, isFetching, retry } = useOrganizations();
  if (organizations !== undefined) return <OrganizationList organizations={organizations} />;
  if (hasFailed) return <NotLoaded isRetrying={isFetching} onRetry={retry} />;
  return <OrganizationSkeletons />;
}

interface OrganizationListProps {
  readonly organizations: readonly Organization[];
}

function OrganizationList({ organizations }: OrganizationListProps) {
  if (organizations.length === 0) {
    return <EmptyState sentence="No organizations have joined yet." />;
  }
  return (
    <>
      <p className="text-ink-soft">These organizations will be there.</p>
      <ul role="list" aria-label="Organizations" className="grid grid-cols-1 gap-3">
        {organizations
          .toSorted((a, b) => compareNames(a.tradingName, b.tradingName))
          .map(({ id, tradingName, memberCount }) => (
            <li key={id} className="flex items-center gap-4 rounded-card bg-card px-4 py-3">
              <Users aria-hidden size={22} className="text-moss" />
              <div className="min-w-0">
                <h2 className="text-lg wrap-anywhere">
                  <bdi>{tradingName}</bdi>
                </h2>
                <p className="text-ink-soft tabular-nums">{countText(memberCount, 'member')}</p>
              </div>
            </li>
          ))}
      </ul>
    </>
  );
}

interface NotLoadedProps {
  readonly isRetrying: boolean;
  readonly onRetry: () => void;
}

/** An error that stays while a retry is in flight, so that its button keeps the focus. */
function NotLoaded({ isRetrying, onRetry }: NotLoadedProps) {
  const isOnline = useIsOnline();
  const Picture = isOnline ? TriangleAlert : CloudOff;
  return (
    <div role="alert" className="flex flex-1 flex-col">
      <EmptyState
        sentence={somethingWentWrong}
        picture={<Picture aria-hidden size={40} className="text-ink-soft" />}
      >
        <p className="text-balance text-ink-soft">
          {isOnline
            ? 'The list of organizations did not come.'
            : 'The list of organizations needs a connection. It comes by itself once there is one.'}
        </p>
        <Button aria-busy={isRetrying} onClick={onRetry}>
          {isRetrying ? 'Trying again…' : 'Try again'}
        </Button>
      </EmptyState>
    </div>
  );
}

function OrganizationSkeletons() {
  return (
    <div aria-busy="true" className="grid gap-3">
      {['first', 'second', 'third'].map((key) => (
        <Skeleton key={key} className="h-18 w-full rounded-card" />
      ))}
    </div>
  );
}
