import { createFileRoute } from '@tanstack/react-router';
import { ChoosePetPage } from '../../../features/pets/choose-pet-page.tsx';

export const Route = createFileRoute('/_app/quick/voice')({
  staticData: { header: { title: 'Record Voice Note', lead: 'back' } },
  component: QuickVoiceRoute,
});

function QuickVoiceRoute() {
  const navigate = Route.useNavigate();
  return (
    <ChoosePetPage
      question="Whose journal is the voice note for?"
      onChoose={(petId) =>
        void navigate({
          to: '/pets/$petId/actions/add-voice-note',
          params: { petId },
          replace: true,
          state: { stepsBack: 1 },
        })
      }
    />
  );
}
