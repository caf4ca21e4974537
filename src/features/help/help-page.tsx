import { Link } from '@tanstack/react-router';
import { useSetAtom } from 'jotai';
import LifeBuoy from 'lucide-react/icons/life-buoy';
import { areShortcutsShownAtom } from '../../lib/react/shortcuts-state.ts';
import { supportMailbox } from '../../platform/support-mailbox.ts';
import { textLinkStyle } from '../../ui/button-style.ts';

export function HelpPage() {
  const showShortcuts = useSetAtom(areShortcutsShownAtom);
  return (
    <div className="flex-1 overflow-y-auto">
      <div className="page-column flex flex-col items-start gap-4 py-6">
        <LifeBuoy aria-hidden size={40} className="text-moss" />
        <h2 className="text-2xl">Customer Support</h2>
        <p>
          Is something not working, or missing? Write to us and tell us what you did, on which
          device. A person answers, usually within two days.
        </p>
        <a href={`mailto:${supportMailbox}`} className={`${textLinkStyle} wrap-anywhere`}>
          {supportMailbox}
        </a>
        <h2 className="mt-4 text-xl">Good to know</h2>
        <ul className="flex list-disc flex-col gap-2 pl-5">
          <li>
            Everything you write is kept on this device first. The cloud beside the page title says
            what is not in the cloud yet; press it for the details.
          </li>
          <li>Without a connection you can go on as usual. Syncing begins again by itself.</li>
          <li>Add PawPals to your home screen: browsers may clear what a mere page has stored.</li>
        </ul>
        <button type="button" className={textLinkStyle} onClick={() => showShortcuts(true)}>
          Keyboard shortcuts
        </button>
        <Link to="/privacy" className={textLinkStyle}>
          Privacy policy
        </Link>
      </div>
    </div>
  );
}
