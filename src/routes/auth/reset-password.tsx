import { createFileRoute } from '@tanstack/react-router';
import { requireSignedOut } from '../../features/account/guard.ts';
import { ResetPasswordPage } from '../../features/account/sign-in/reset-password-page.tsx';

export const Route = createFileRoute('/auth/reset-password')({
  beforeLoad: requireSignedOut,
  component: ResetPasswordPage,
});
