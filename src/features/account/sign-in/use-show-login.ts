import { useNavigate, useRouter } from '@tanstack/react-router';

/**
 * Leads to the sign-in page. The guards do so as soon as nobody is signed in, while the device is still being cleared: who
 * has gone on from there meanwhile, as to a forgotten password, is left where they are.
 */
export function useShowLogin(): () => Promise<void> {
  const { history } = useRouter();
  const navigate = useNavigate();
  return async () => {
    if (history.location.pathname.startsWith('/auth/')) return;
    await navigate({ to: '/auth/login', replace: true });
  };
}
