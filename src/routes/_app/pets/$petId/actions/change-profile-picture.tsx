import { createFileRoute } from '@tanstack/react-router';
import { ChangePicturePage } from '../../../../../features/pets/change-picture-page.tsx';
import { useLeave } from '../../../../../features/shell/use-go-back.ts';

export const Route = createFileRoute('/_app/pets/$petId/actions/change-profile-picture')({
  staticData: { header: { title: 'Profile Picture', lead: 'back', hasSave: true } },
  component: ChangePictureRoute,
});

function ChangePictureRoute() {
  const { petId } = Route.useParams();
  return <ChangePicturePage key={petId} petId={petId} onSaved={useLeave(2)} />;
}
