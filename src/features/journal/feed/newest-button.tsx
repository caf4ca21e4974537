import ArrowDown from 'lucide-react/icons/arrow-down';
import { focusHeading } from '../../../lib/dom/focus-heading.ts';
import { IconButton } from '../../../ui/icon-button.tsx';

/** A button over the lower end of the journal, at the edge of its column. */
export function NewestButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <div className="page-column pointer-events-none absolute inset-x-0 bottom-3 flex justify-end">
      <IconButton
        label="To the newest entry"
        icon={ArrowDown}
        className="pointer-events-auto bg-card-strong shadow-md hover:bg-line"
        onClick={() => {
          // The button goes, and the whole list with it if it was opened further up.
          focusHeading();
          onClick();
        }}
      />
    </div>
  );
}
