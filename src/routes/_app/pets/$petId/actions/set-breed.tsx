import { createFileRoute } from '@tanstack/react-router';
import { SetBreedPage } from '../../../../../features/pets/edit/set-breed-page.tsx';
import { useLeave } from '../../../../../features/shell/use-go-back.ts';

export const Route = createFileRoute('/_app/pets/$petId/actions/set-breed')({
  staticData: { header: { title: 'Set Breed', lead: 'back', hasSave: true } },
  component: SetBreedRoute,
});

function SetBreedRoute() {
  const { petId } = Route.useParams();
  return <SetBreedPage key={petId} petId={petId} onSaved={useLeave(2)} />;
}
