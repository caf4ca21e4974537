import { createFileRoute } from '@tanstack/react-router';
import { PetLine, WithPet } from '../../../../../features/pets/with-pet.tsx';
import { useLeave } from '../../../../../features/shell/use-go-back.ts';
import { RecordPage } from '../../../../../features/voice-notes/recorder/record-page.tsx';

export const Route = createFileRoute('/_app/pets/$petId/actions/add-voice-note')({
  staticData: { header: { title: 'Record Voice Note', lead: 'back' } },
  component: RecordRoute,
});

function RecordRoute() {
  const { petId } = Route.useParams();
  const leave = useLeave(2, 'Voice note saved');
  return (
    <WithPet key={petId} petId={petId}>
      {(pet) => (
        <RecordPage petId={petId} onSaved={leave}>
          <PetLine pet={pet} />
        </RecordPage>
      )}
    </WithPet>
  );
}
