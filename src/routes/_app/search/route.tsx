import { createFileRoute, useRouter } from '@tanstack/react-router';
import { SearchPage, type SearchParams } from '../../../features/search/search-page.tsx';

/** Parses the address, in which digits arrive as a number; a parameter that is empty or not a text is ignored. */
function paramsOf({ q, pet, kind }: Readonly<Record<string, unknown>>): SearchParams {
  return {
    ...(typeof q === 'number' && { q: String(q) }),
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(typeof pet === 'string' && pet !== '' && { pet }),
    ...(typeof kind === 'string' && kind !== '' && { kind }),
  };
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
