import { createFileRoute } from '@tanstack/react-router';
import { OldestShared, SharedItemPage } from '../../../features/share-target/shared-item-page.tsx';
import { useKeepShared } from '../../../features/journal/composer/shared-text.ts';
import { ChoosePetPage } from '../../../features/pets/choose-pet-page.tsx';
import { PetLineById } from '../../../features/pets/with-pet.tsx';
import { paramText } from '../../../features/shell/param-text.ts';
import { Player } from '../../../features/voice-notes/player/player.tsx';

interface Shared {
  /** The id under which the worker has stored the shared item. */
  readonly share?: string | undefined;
  /** The id of the dog that was chosen for it. */
  readonly pet?: string | undefined;
}

/** Receives an item that another app shares, which the worker has stored. */
export const Route = createFileRoute('/_app/quick/share')({
  staticData: { header: { title: 'Share to a Journal', lead: 'back' } },
  validateSearch: ({ share, pet }: Record<string, unknown>): Shared => ({
    share: paramText(share),
    pet: paramText(pet),
  }),
  component: QuickShareRoute,
});

function QuickShareRoute() {
  const { share, pet } = Route.useSearch();
  const navigate = Route.useNavigate();
  const keep = useKeepShared();
  const leave = (petId?: string): void => {
    void navigate(
      petId === undefined
        ? { to: '/pets', replace: true }
        : { to: '/pets/$petId/profile', params: { petId }, replace: true },
    );
  };

  if (share === undefined) {
    return (
      <OldestShared onFound={(id) => void navigate({ search: { share: id }, replace: true })} />
    );
  }
  return (
    <SharedItemPage
      key={share}
      shareId={share}
      petId={pet}
      Player={Player}
      renderChooser={(question, about) => (
        <ChoosePetPage
          question={question}
          onChoose={(petId) => void navigate({ search: { share, pet: petId }, replace: true })}
        >
          {about}
        </ChoosePetPage>
      )}
      keepText={keep}
      onDone={leave}
      onPicture={(fileId) =>
        void navigate({
          to: '/pets/$petId/actions/change-profile-picture',
          params: { petId: pet ?? '' },
          search: { share, file: fileId },
          state: { stepsBack: 1 },
        })
      }
    >
      {pet !== undefined && <PetLineById petId={pet} />}
    </SharedItemPage>
  );
}
