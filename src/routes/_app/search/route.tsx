import { createFileRoute, useRouter } from '@tanstack/react-router';
import { paramText } from '../../../features/shell/param-text.ts';
import { SearchPage } from '../../../features/search/search-page.tsx';
import type { SearchParams } from '../../../features/search/use-search-place.ts';

/** Parses the address; an empty parameter is ignored. */
function paramsOf({ q, pet, kind }: Readonly<Record<string, unknown>>): SearchParams {
  return { q: paramText(q), pet: paramText(pet), kind: paramText(kind) };
}

export const Route = createFileRoute('/_app/search')({
  staticData: { header: { title: 'Search', lead: 'back' } },
  validateSearch: paramsOf,
  component: SearchRoute,
});

function SearchRoute() {
  const params = Route.useSearch();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const keep = (next: SearchParams): void => {
    // The next page is still loading after a press on a link, and another navigation would cancel it.
    if (router.latestLocation.pathname !== Route.to) return;
    void navigate({ search: paramsOf({ ...next }), replace: true });
  };
  return <SearchPage params={params} onChange={keep} />;
}
