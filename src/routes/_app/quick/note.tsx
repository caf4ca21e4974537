import { createFileRoute } from '@tanstack/react-router';
import { ChoosePetPage } from '../../../features/pets/choose-pet-page.tsx';

export const Route = createFileRoute('/_app/quick/note')({
  staticData: { header: { title: 'Add Note', lead: 'back' } },
  component: QuickNoteRoute,
});

function QuickNoteRoute() {
  const navigate = Route.useNavigate();
  return (
    <ChoosePetPage
      question="Whose journal is the note for?"
      onChoose={(petId) =>
        void navigate({
          to: '/pets/$petId/actions/add-note',
          params: { petId },
          replace: true,
          state: { stepsBack: 1 },
        })
      }
    />
  );
}
