import { ArrowDown } from 'lucide-react';

/** Lies over the lower end of the journal, away from what one reads. */
export function NewestButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label="To the newest entry"
      title="To the newest entry"
      className="absolute right-4 bottom-3 inline-flex size-11 items-center justify-center rounded-full bg-card-strong text-ink shadow-md transition-colors hover:bg-line"
      onClick={onClick}
    >
      <ArrowDown aria-hidden size={22} />
    </button>
  );
}
