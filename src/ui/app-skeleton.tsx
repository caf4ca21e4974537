import { Skeleton } from './skeleton.tsx';

/** The frame without content, until the owner is known and their data is open. */
export function AppSkeleton() {
  return (
    <div aria-busy="true" className="app-frame">
      <div className="app-page">
        <div className="page-column flex flex-col gap-4 pt-[max(1rem,env(safe-area-inset-top))]">
          <Skeleton className="h-8 w-36" />
          <Skeleton className="mt-2 h-20 w-full rounded-card" />
          <Skeleton className="h-20 w-full rounded-card" />
        </div>
      </div>
    </div>
  );
}
