import { createFileRoute } from '@tanstack/react-router';
import { requireSignedOut } from '../../features/account/guard.ts';
import { RegisterPage } from '../../features/account/sign-in/register-page.tsx';

export const Route = createFileRoute('/auth/register')({
  beforeLoad: requireSignedOut,
  component: RegisterPage,
});
