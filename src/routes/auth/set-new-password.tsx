import { createFileRoute } from '@tanstack/react-router';
import { requireResetMode } from '../../features/shell/route-checks.ts';
import { SetNewPasswordPage } from '../../features/account/sign-in/set-new-password-page.tsx';

export const Route = createFileRoute('/auth/set-new-password')({
  beforeLoad: ({ location }) => requireResetMode(location.search),
  component: SetNewPasswordPage,
});
