import { createFileRoute, Outlet } from '@tanstack/react-router';
import { requireSignedIn } from '../features/account/guard.ts';
import { MenuButton } from '../features/account/menu-button.tsx';
import { SignedInGate } from '../features/account/signed-in-gate.tsx';
import { SearchLink } from '../features/search/search-link.tsx';
import { SyncStatus } from '../features/sync-status/sync-status.tsx';
import { RecoveredSlot } from '../features/voice-notes/recovered-slot.tsx';
import { useDocumentTitle } from '../lib/document-title.ts';
import { useHeader } from '../features/shell/use-header.ts';
import { AppFrame } from '../ui/app-frame.tsx';
import { AppSkeleton } from '../ui/app-skeleton.tsx';
import { BackButton } from '../features/shell/back-button.tsx';
import { SaveButton } from '../ui/save-button.tsx';

export const Route = createFileRoute('/_app')({
  beforeLoad: requireSignedIn,
  component: AppLayout,
});

function AppLayout() {
  const { title, lead, hasSave, hasSearch } = useHeader();
  useDocumentTitle(title);
  return (
    <SignedInGate fallback={<AppSkeleton />}>
      <AppFrame
        lead={lead === 'menu' ? <MenuButton /> : <BackButton />}
        title={title ?? ''}
        status={<SyncStatus />}
        action={
          <>
            {hasSearch && <SearchLink />}
            {hasSave && <SaveButton />}
          </>
        }
      >
        <RecoveredSlot />
        <Outlet />
      </AppFrame>
    </SignedInGate>
  );
}
