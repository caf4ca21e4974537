import { createFileRoute } from '@tanstack/react-router';
import { ChooseDogPage } from '../../../features/pets/choose-dog-page.tsx';

export const Route = createFileRoute('/_app/quick/voice')({
  staticData: { header: { title: 'Record Voice Note', lead: 'back' } },
  component: QuickVoiceRoute,
});

function QuickVoiceRoute() {
  const navigate = Route.useNavigate();
  return (
    <ChooseDogPage
      question="Whose journal is the voice note for?"
      onChoose={(petId) =>
        void navigate({
          to: '/pets/$petId/actions/add-voice-note',
          params: { petId },
          replace: true,
        })
      }
    />
  );
}
