import { Link, useParams } from '@tanstack/react-router';
import { Search } from 'lucide-react';

/** On a dog's page it looks through that dog's journal first. */
export function SearchLink() {
  const { petId } = useParams({ strict: false });
  return (
    <Link
      to="/search"
      search={petId === undefined ? {} : { dog: petId }}
      aria-label="Search"
      title="Search"
      className="inline-flex size-11 flex-none items-center justify-center rounded-full transition-colors hover:bg-card-strong"
    >
      <Search aria-hidden size={22} />
    </Link>
  );
}
