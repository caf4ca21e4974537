import Share from 'lucide-react/icons/share';
import SquarePlus from 'lucide-react/icons/square-plus';
import { Button } from '../../../ui/button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { useSyncNow } from '../sign-out/use-sync-now.ts';
import { useUnsent } from '../sign-out/use-unsent.ts';

/**
 * Explains how to install the app on iOS. An installed app has its own storage there, so unsent data of this tab would
 * stay behind, and the dialog warns of that first.
 */
export function InstallSteps({ onClose }: { readonly onClose: () => void }) {
  const { words, isSendable } = useUnsent();
  const syncNow = useSyncNow();
  const isSent = words === '';
  return (
    <Modal title="Install PawPals" placement="centre" onClose={onClose}>
      <div className="mt-4 flex flex-col items-start gap-3 rounded-card bg-card px-4 py-3">
        <p role="status">
          {words === null && 'Looking for what is not sent yet…'}
          {isSent && 'Everything is synced. The installed app will fetch it.'}
          {words !== null &&
            !isSent &&
            `${words}. ${isSendable ? 'Sync first: this' : 'This'} stays in the browser.`}
        </p>
        {words !== null && isSendable && (
          <>
            <p role="status" className="text-ink-soft empty:sr-only">
              {syncNow.answer}
            </p>
            <Button kind="primary" onClick={syncNow.press}>
              Sync now
            </Button>
          </>
        )}
      </div>
      <ol className="mt-5 flex list-decimal flex-col gap-3 pl-6">
        <li>
          Tap Share <Share aria-hidden size={20} className="inline align-text-bottom" /> in the
          browser’s bar.
        </li>
        <li>
          Tap Add to Home Screen{' '}
          <SquarePlus aria-hidden size={20} className="inline align-text-bottom" />.
        </li>
        <li>Open PawPals from the home screen and sign in.</li>
      </ol>
      <Button className="mt-6 w-full" onClick={onClose}>
        Close
      </Button>
    </Modal>
  );
}
