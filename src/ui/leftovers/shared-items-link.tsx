import { Link } from '@tanstack/react-router';
import { buttonStyle } from '../button-style.ts';

/** Leads to the item that other apps have shared and that has waited longest. */
export function SharedItemsLink({ onClick }: { readonly onClick?: () => void }) {
  return (
    <Link to="/quick/share" className={buttonStyle('quiet')} onClick={onClick}>
      Open what you shared
    </Link>
  );
}
