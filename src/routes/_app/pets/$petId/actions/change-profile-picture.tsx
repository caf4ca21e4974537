import { createFileRoute } from '@tanstack/react-router';
import { ChangePicturePage } from '../../../../../features/pets/picture/change-picture-page.tsx';
import { paramText } from '../../../../../features/shell/param-text.ts';
import { requireWholeShare } from '../../../../../features/shell/route-checks.ts';
import { useLeave } from '../../../../../features/shell/use-go-back.ts';

interface SharedPhoto {
  readonly share?: string | undefined;
  readonly file?: string | undefined;
}

export const Route = createFileRoute('/_app/pets/$petId/actions/change-profile-picture')({
  staticData: { header: { title: 'Profile Picture', lead: 'back' } },
  // The parameters name a photo that another app has shared.
  validateSearch: ({ share, file }: Record<string, unknown>): SharedPhoto => ({
    share: paramText(share),
    file: paramText(file),
  }),
  beforeLoad: ({ search }) => requireWholeShare(search),
  component: ChangePictureRoute,
});

function ChangePictureRoute() {
  const { petId } = Route.useParams();
  const { share = null, file = '' } = Route.useSearch();
  const shared = share === null ? null : { shareId: share, fileId: file };
  return <ChangePicturePage key={petId} petId={petId} shared={shared} onSaved={useLeave(2)} />;
}
