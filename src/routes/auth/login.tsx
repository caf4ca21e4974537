import { createFileRoute } from '@tanstack/react-router';
import { requireSignedOut } from '../../features/account/guard.ts';
import { LoginPage } from '../../features/account/sign-in/login-page.tsx';

export const Route = createFileRoute('/auth/login')({
  beforeLoad: requireSignedOut,
  component: LoginPage,
});
