import { createFileRoute } from '@tanstack/react-router';
import { DeleteAccountPage } from '../../../features/account/delete-account-page.tsx';
import { SettingsPage } from '../../../features/account/settings-page.tsx';
import { useGoBack } from '../../../features/shell/use-go-back.ts';
import { DataSection } from '../../../features/storage/data-section.tsx';

export const Route = createFileRoute('/_app/account/delete')({
  // The title is that of the settings, which open this page and stay visible behind it.
  staticData: { header: { title: 'Settings', lead: 'menu' } },
  component: DeleteAccountRoute,
});

function DeleteAccountRoute() {
  const goBack = useGoBack('/settings');
  return (
    <DeleteAccountPage onCancel={() => void goBack()}>
      <SettingsPage>
        <DataSection />
      </SettingsPage>
    </DeleteAccountPage>
  );
}
