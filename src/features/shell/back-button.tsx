import { useCanGoBack, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { IconButton } from '../../ui/icon-button.tsx';

/** One step back; for those who came by a link from outside, one level up. */
export function BackButton() {
  const router = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  const { petId, noteId } = useParams({ strict: false });

  const goBack = async (): Promise<void> => {
    if (canGoBack) router.history.back();
    else if (petId !== undefined && noteId !== undefined) {
      await navigate({ to: '/pets/$petId/profile', params: { petId }, replace: true });
    } else await navigate({ to: '/pets', replace: true });
  };

  return <IconButton label="Back" icon={ArrowLeft} onClick={() => void goBack()} />;
}
