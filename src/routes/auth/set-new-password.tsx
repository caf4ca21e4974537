import { createFileRoute } from '@tanstack/react-router';
import { SetNewPasswordPage } from '../../features/account/set-new-password-page.tsx';

export const Route = createFileRoute('/auth/set-new-password')({
  component: SetNewPasswordPage,
});
