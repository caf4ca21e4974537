import { createFileRoute } from '@tanstack/react-router';
import { Journal, useJournalReading } from '../../../../features/journal/journal.tsx';
import { journalAddress } from '../../../../features/journal/journal-address.ts';
import { PetProfile } from '../../../../features/pets/pet-profile.tsx';
import { journalVoice } from '../../../../features/voice-notes/journal-voice-slots.ts';
import { stepKeyOf } from '../../../../lib/step-memory.ts';

export const Route = createFileRoute('/_app/pets/$petId/profile')({
  staticData: { header: { lead: 'back', hasSearch: true } },
  validateSearch: journalAddress,
  // The location is that of the search parameters, while the history is already at the next entry during a navigation.
  beforeLoad: ({ location }) => ({ stepKey: stepKeyOf({ location }) }),
  component: ProfilePage,
});

function ProfilePage() {
  const { petId } = Route.useParams();
  const { at = null } = Route.useSearch();
  const { stepKey } = Route.useRouteContext();
  useJournalReading({ petId, stepKey, at });
  return (
    <PetProfile key={petId} petId={petId}>
      <Journal petId={petId} stepKey={stepKey} at={at} voice={journalVoice} />
    </PetProfile>
  );
}
