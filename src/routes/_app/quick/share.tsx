import { createFileRoute } from '@tanstack/react-router';
import { NothingShared, SharedItemPage } from '../../../features/incoming/shared-item-page.tsx';
import { useKeepShared } from '../../../features/journal/shared-text.ts';
import { ChooseDogPage } from '../../../features/pets/choose-dog-page.tsx';
import { PetLineById } from '../../../features/pets/with-pet.tsx';
import { Player } from '../../../features/voice-notes/player.tsx';

interface Shared {
  readonly title?: string;
  readonly text?: string;
  readonly url?: string;
  /** Where the worker has put it. */
  readonly share?: string;
  /** Who it is for, once that was chosen. */
  readonly dog?: string;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** What another app shares: the worker has put it on the disk, or it is in the address itself. */
export const Route = createFileRoute('/_app/quick/share')({
  staticData: { header: { title: 'Share to a Journal', lead: 'back' } },
  validateSearch: (search: Record<string, unknown>): Shared => {
    const names = ['title', 'text', 'url', 'share', 'dog'] as const;
    const parts = names.map((name) => [name, textOf(search[name])] as const);
    return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
  },
  component: QuickShareRoute,
});

function QuickShareRoute() {
  const { title, text, url, share, dog } = Route.useSearch();
  const navigate = Route.useNavigate();
  const keep = useKeepShared();
  const texts = [title, text, url];
  const showDog = (petId: string): void => {
    void navigate({ to: '/pets/$petId/profile', params: { petId }, replace: true });
  };

  if (share === undefined) {
    if (texts.every((part) => part === undefined)) return <NothingShared />;
    return (
      <ChooseDogPage
        question="Whose journal is it for?"
        onChoose={(petId) => {
          keep(petId, texts);
          showDog(petId);
        }}
      />
    );
  }
  return (
    <SharedItemPage
      key={share}
      shareId={share}
      petId={dog}
      Player={Player}
      renderChooser={(question) => (
        <ChooseDogPage
          question={question}
          onChoose={(petId) => void navigate({ search: { share, dog: petId }, replace: true })}
        />
      )}
      keepText={keep}
      onDone={showDog}
      onPicture={(fileId) =>
        void navigate({
          to: '/pets/$petId/actions/change-profile-picture',
          params: { petId: dog ?? '' },
          search: { share, file: fileId },
          state: { stepsBack: 1 },
        })
      }
    >
      {dog !== undefined && <PetLineById petId={dog} />}
    </SharedItemPage>
  );
}
