import { createFileRoute } from '@tanstack/react-router';
import { ResetPasswordPage } from '../../features/account/sign-in/reset-password-page.tsx';

export const Route = createFileRoute('/auth/reset-password')({
  component: ResetPasswordPage,
});
