import ArrowDown from 'lucide-react/icons/arrow-down';

/** A button over the lower end of the journal, at the edge of its column. */
export function NewestButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 mx-auto flex w-full max-w-journal justify-end px-4">
      <button
        type="button"
        aria-label="To the newest entry"
        title="To the newest entry"
        className="pointer-events-auto inline-flex size-11 items-center justify-center rounded-full bg-card-strong text-ink shadow-md transition-colors hover:bg-line"
        onClick={onClick}
      >
        <ArrowDown aria-hidden size={22} />
      </button>
    </div>
  );
}
