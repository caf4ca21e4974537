import { createFileRoute } from '@tanstack/react-router';
import { PetLine, WithPet } from '../../../../../features/pets/with-pet.tsx';
import { SharePage } from '../../../../../features/share-with-trainer/share-page.tsx';

export const Route = createFileRoute('/_app/pets/$petId/actions/share')({
  staticData: { header: { title: 'Share with Trainer', lead: 'back' } },
  component: ShareRoute,
});

function ShareRoute() {
  const { petId } = Route.useParams();
  return (
    <WithPet key={petId} petId={petId}>
      {(pet) => (
        <SharePage>
          <PetLine pet={pet} />
        </SharePage>
      )}
    </WithPet>
  );
}
