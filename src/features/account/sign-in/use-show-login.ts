import { useNavigate, useRouter } from '@tanstack/react-router';

/**
 * Returns a function that navigates to the sign-in page. The guards do so as soon as nobody is signed in, while the
 * device is still being erased. A user who has moved on from there since, as to a forgotten password, stays where they
 * are.
 */
export function useShowLogin(): () => Promise<void> {
  const { history } = useRouter();
  const navigate = useNavigate();
  return async () => {
    if (history.location.pathname.startsWith('/auth/')) return;
    await navigate({ to: '/auth/login', replace: true });
  };
}
