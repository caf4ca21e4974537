import { createFileRoute, Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { requireSignedIn } from '../../features/account/guard.ts';
import { MenuButton } from '../../features/account/menu/menu-button.tsx';
import { SignedInGate } from '../../features/account/signed-in-gate.tsx';
import { SearchLink } from '../../features/search/search-link.tsx';
import { SyncStatus } from '../../features/sync-status/sync-status.tsx';
import { RecoveredSlot } from '../../features/voice-notes/recorder/recovered-slot.tsx';
import { useColumnCount } from '../../lib/dom/column-count.ts';
import { useDocumentTitle } from '../../lib/dom/document-title.ts';
import { lazyPart } from '../../lib/react/lazy-part.tsx';
import { useHeader } from '../../features/shell/use-header.ts';
import { AppFrame } from '../../ui/app-frame.tsx';
import { AppSkeleton } from '../../ui/app-skeleton.tsx';
import { BackButton } from '../../features/shell/back-button.tsx';
import { ShortcutsSlot } from '../../features/shell/shortcuts-slot.tsx';
import { SaveButton } from '../../ui/save-button.tsx';

export const Route = createFileRoute('/_app')({
  beforeLoad: requireSignedIn,
  component: AppLayout,
});

const left = lazyPart(async () => (await import('../-side-columns.lazy.tsx')).LeftColumn);
const right = lazyPart(async () => (await import('../-side-columns.lazy.tsx')).RightColumn);

function AppLayout() {
  const { title, lead, hasSave, hasSearch } = useHeader();
  const columnCount = useColumnCount();
  useDocumentTitle(title);
  return (
    <SignedInGate fallback={<AppSkeleton />}>
      <AppFrame
        lead={lead === 'menu' ? columnCount === 1 && <MenuButton /> : <BackButton />}
        title={title ?? ''}
        status={<SyncStatus />}
        action={
          <>
            {hasSearch && columnCount < 3 && <SearchLink />}
            {hasSave && <SaveButton />}
          </>
        }
        left={
          columnCount > 1 && (
            <Suspense>
              <left.Component />
            </Suspense>
          )
        }
        right={
          columnCount > 2 && (
            <Suspense>
              <right.Component />
            </Suspense>
          )
        }
      >
        <RecoveredSlot />
        <Outlet />
      </AppFrame>
      <ShortcutsSlot />
    </SignedInGate>
  );
}
