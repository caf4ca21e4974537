import { createFileRoute } from '@tanstack/react-router';
import { SearchPage, type SearchParams } from '../../features/search/search-page.tsx';

/** Parses the address; a parameter that is no text, or empty, is ignored. */
function paramsOf({ q, dog, kind }: Readonly<Record<string, unknown>>): SearchParams {
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(typeof dog === 'string' && dog !== '' && { dog }),
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
  return (
    <SearchPage
      params={params}
      onChange={(next) => void navigate({ search: paramsOf({ ...next }), replace: true })}
    />
  );
}
