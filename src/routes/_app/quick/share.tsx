import { createFileRoute } from '@tanstack/react-router';
import { useKeepShared } from '../../../features/journal/shared-text.ts';
import { ChooseDogPage } from '../../../features/pets/choose-dog-page.tsx';

interface Shared {
  readonly title?: string;
  readonly text?: string;
  readonly url?: string;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** What another app shares, as the system hands it over. */
export const Route = createFileRoute('/_app/quick/share')({
  staticData: { header: { title: 'Share to a Journal', lead: 'back' } },
  validateSearch: ({ title, text, url }: Record<string, unknown>): Shared => {
    const parts = { title: textOf(title), text: textOf(text), url: textOf(url) };
    return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
  },
  component: QuickShareRoute,
});

function QuickShareRoute() {
  const { title, text, url } = Route.useSearch();
  const navigate = Route.useNavigate();
  const keep = useKeepShared();
  return (
    <ChooseDogPage
      question="Whose journal is it for?"
      onChoose={(petId) => {
        keep(petId, [title, text, url]);
        void navigate({ to: '/pets/$petId/profile', params: { petId }, replace: true });
      }}
    />
  );
}
