import { createFileRoute } from '@tanstack/react-router';
import { NotePage } from '../../../../../../features/journal/note/note-page.tsx';
import { PetLine, WithPet } from '../../../../../../features/pets/with-pet.tsx';
import { OtherVersions } from '../../../../../../features/sync-status/other-versions.tsx';
import { noteVoice } from '../../../../../../features/voice-notes/note-voice-slots.tsx';
import { useLeave } from '../../../../../../features/shell/use-go-back.ts';

export const Route = createFileRoute('/_app/pets/$petId/notes/$noteId/')({
  staticData: { header: { title: 'Note', lead: 'back' } },
  component: NoteRoute,
});

function NoteRoute() {
  const { petId, noteId } = Route.useParams();
  const leave = useLeave(1);
  return (
    <WithPet petId={petId}>
      {(pet) => (
        <NotePage
          key={noteId}
          petId={petId}
          noteId={noteId}
          voice={noteVoice}
          Versions={OtherVersions}
          onDeleted={leave}
        >
          <PetLine pet={pet} />
        </NotePage>
      )}
    </WithPet>
  );
}
