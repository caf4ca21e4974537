import { createFileRoute } from '@tanstack/react-router';
import { AddNotePage } from '../../../../../features/journal/note/add-note-page.tsx';
import { PetLine, WithPet } from '../../../../../features/pets/with-pet.tsx';
import { useLeave } from '../../../../../features/shell/use-go-back.ts';

export const Route = createFileRoute('/_app/pets/$petId/actions/add-note')({
  staticData: { header: { title: 'Add Note', lead: 'back', hasSave: true } },
  component: AddNoteRoute,
});

function AddNoteRoute() {
  const { petId } = Route.useParams();
  const leave = useLeave(2, 'Note saved');
  return (
    <WithPet key={petId} petId={petId}>
      {(pet) => (
        <AddNotePage petId={petId} onSaved={leave}>
          <PetLine pet={pet} />
        </AddNotePage>
      )}
    </WithPet>
  );
}
