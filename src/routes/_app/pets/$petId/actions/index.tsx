import { createFileRoute } from '@tanstack/react-router';
import { PetActionsPage } from '../../../../../features/pets/pet-actions-page.tsx';

export const Route = createFileRoute('/_app/pets/$petId/actions/')({
  staticData: { header: { title: 'Actions', lead: 'back' } },
  component: ActionsRoute,
});

function ActionsRoute() {
  const { petId } = Route.useParams();
  return <PetActionsPage key={petId} petId={petId} />;
}
