import { useCanGoBack, useNavigate, useParams, useRouter } from '@tanstack/react-router';

/** One step back; for those who came by a link from outside, one level up. */
export function useGoBack(): () => Promise<void> {
  const router = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  const { petId, noteId } = useParams({ strict: false });

  return async () => {
    if (canGoBack) router.history.back();
    else if (petId !== undefined && noteId !== undefined) {
      await navigate({ to: '/pets/$petId/profile', params: { petId }, replace: true });
    } else await navigate({ to: '/pets', replace: true });
  };
}
