import { createFileRoute } from '@tanstack/react-router';
import { DeleteAccountPage } from '../../../features/account/delete-account-page.tsx';
import { useGoBack } from '../../../features/shell/use-go-back.ts';

export const Route = createFileRoute('/_app/account/delete')({
  staticData: { header: { title: 'Delete Account', lead: 'back' } },
  component: DeleteAccountRoute,
});

function DeleteAccountRoute() {
  const goBack = useGoBack();
  return <DeleteAccountPage onCancel={() => void goBack()} />;
}
