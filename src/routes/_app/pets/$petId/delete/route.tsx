import { createFileRoute } from '@tanstack/react-router';
import { DeletePetPage } from '../../../../../features/pets/edit/delete-pet-page.tsx';
import { useFinish, useGoBack } from '../../../../../features/shell/use-go-back.ts';

export const Route = createFileRoute('/_app/pets/$petId/delete')({
  staticData: { header: { title: 'Delete Profile', lead: 'back' } },
  component: DeletePetRoute,
});

function DeletePetRoute() {
  const { petId } = Route.useParams();
  const navigate = Route.useNavigate();
  const goBack = useGoBack();
  const showPets = useFinish(() => navigate({ to: '/pets', replace: true }));
  return (
    <DeletePetPage key={petId} petId={petId} onCancel={() => void goBack()} onDeleted={showPets} />
  );
}
