import { createFileRoute } from '@tanstack/react-router';
import { isFeedKey } from '../../../../../schemas/feed-key.ts';
import { Journal } from '../../../../features/journal/journal.tsx';
import { PetProfile } from '../../../../features/pets/pet-profile.tsx';
import { journalVoice } from '../../../../features/voice-notes/journal-voice-slots.tsx';
import { useStepKey } from '../../../../features/shell/use-step-key.ts';

interface ProfileSearch {
  /** Where the journal opens: the key of an entry. */
  readonly at?: string;
}

export const Route = createFileRoute('/_app/pets/$petId/profile')({
  staticData: { header: { lead: 'back' } },
  validateSearch: ({ at }): ProfileSearch =>
    typeof at === 'string' && isFeedKey(at) ? { at } : {},
  component: ProfilePage,
});

function ProfilePage() {
  const { petId } = Route.useParams();
  const { at = null } = Route.useSearch();
  return (
    <PetProfile key={petId} petId={petId}>
      <Journal petId={petId} stepKey={useStepKey()} at={at} voice={journalVoice} />
    </PetProfile>
  );
}
