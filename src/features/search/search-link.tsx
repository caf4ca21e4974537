import { Link, useParams } from '@tanstack/react-router';
import Search from 'lucide-react/icons/search';

const styles = {
  icon: 'inline-flex size-11 flex-none items-center justify-center rounded-full transition-colors hover:bg-card-strong',
  row: 'flex min-h-11 flex-none items-center gap-3 rounded-full bg-card-strong px-4 text-ink-soft transition-colors hover:bg-line',
};

/** A link to the search. On a dog's page, it searches that dog's journal first. */
export function SearchLink({ shape = 'icon' }: { readonly shape?: keyof typeof styles }) {
  const { petId } = useParams({ strict: false });
  return (
    <Link
      to="/search"
      search={petId === undefined ? {} : { pet: petId }}
      aria-label="Search"
      title="Search"
      className={styles[shape]}
      onClick={(event) => {
        // On the page of the search, a step would lose its words.
        const box = document.querySelector<HTMLElement>('main search input');
        if (box === null) return;
        event.preventDefault();
        box.focus();
      }}
    >
      <Search aria-hidden size={22} />
      {shape === 'row' && 'Search'}
    </Link>
  );
}
