import { createFileRoute } from '@tanstack/react-router';
import { CreatePetPage } from '../../../../features/pets/edit/create-pet-page.tsx';
import { useFinish } from '../../../../features/shell/use-go-back.ts';

export const Route = createFileRoute('/_app/pets/new')({
  staticData: { header: { title: 'Create Pet', lead: 'back', hasSave: true } },
  component: CreatePetRoute,
});

function CreatePetRoute() {
  const navigate = Route.useNavigate();
  const showPet = useFinish((petId: string) =>
    navigate({ to: '/pets/$petId/profile', params: { petId }, replace: true }),
  );
  return <CreatePetPage onCreated={showPet} />;
}
