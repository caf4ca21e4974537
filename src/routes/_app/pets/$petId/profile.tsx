import { createFileRoute } from '@tanstack/react-router';
import { Journal } from '../../../../features/journal/journal.tsx';
import { PetProfile } from '../../../../features/pets/pet-profile.tsx';
import { journalVoice } from '../../../../features/voice-notes/journal-voice-slots.tsx';
import { useStepKey } from '../../../../features/shell/use-step-key.ts';

export const Route = createFileRoute('/_app/pets/$petId/profile')({
  staticData: { header: { lead: 'back' } },
  component: ProfilePage,
});

function ProfilePage() {
  const { petId } = Route.useParams();
  return (
    <PetProfile key={petId} petId={petId}>
      <Journal petId={petId} stepKey={useStepKey()} voice={journalVoice} />
    </PetProfile>
  );
}
