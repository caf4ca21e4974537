import { createFileRoute } from '@tanstack/react-router';
import { EditNotePage } from '../../../../../../../features/journal/note/edit-note-page.tsx';
import { PetLine, WithPet } from '../../../../../../../features/pets/with-pet.tsx';
import { useLeave } from '../../../../../../../features/shell/use-go-back.ts';

export const Route = createFileRoute('/_app/pets/$petId/notes/$noteId/action/edit')({
  staticData: { header: { title: 'Edit Note', lead: 'back' } },
  component: EditNoteRoute,
});

function EditNoteRoute() {
  const { petId, noteId } = Route.useParams();
  const leave = useLeave(1);
  const leaveNote = useLeave(2);
  return (
    <WithPet petId={petId}>
      {(pet) => (
        <EditNotePage
          key={noteId}
          petId={petId}
          noteId={noteId}
          onSaved={leave}
          onReplaced={leaveNote}
        >
          <PetLine pet={pet} />
        </EditNotePage>
      )}
    </WithPet>
  );
}
