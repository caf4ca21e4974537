import { useIsOnline } from '../../../platform/connection.ts';
import { AskingButton, Button } from '../../../ui/button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { SharedItemsLink } from '../../../ui/leftovers/shared-items-link.tsx';
import type { SignOut } from './use-sign-out.ts';
import { useSyncNow } from './use-sync-now.ts';
import { useUnsent } from './use-unsent.ts';

const waitsForOwner = 'What is left waits for you: sync does not send it.';
const offline = 'There is no connection. Stay signed in, and what waits is sent with the next one.';

export interface SignOutDialogProps {
  readonly signOut: SignOut;
  /** Closes the dialog, and what it stands in, for another page. */
  readonly onLeave: () => void;
}

/** Asks before a sign-out erases unsent work. */
export function SignOutDialog({ signOut, onLeave }: SignOutDialogProps) {
  const { words, isSendable, isExportable, hasShared, exporting } = useUnsent();
  const isOnline = useIsOnline();
  const { isBusy, status, problem } = exporting;
  const syncNow = useSyncNow(offline);
  const isSent = words === '';
  return (
    <Modal
      title={isSent ? 'Everything is sent' : 'Not everything is sent'}
      placement="centre"
      role="alertdialog"
      onClose={signOut.cancel}
    >
      <p className="mt-3" aria-live="polite">
        {words !== null && !isSent && `${words}. `}
        {isSent
          ? 'You can sign out now. Your journal is in the cloud.'
          : 'Signing out erases your journal from this device, and with it what only this device has.'}
      </p>
      {problem !== null && <ProblemNote>{problem}</ProblemNote>}
      <p role="status" className="mt-3 text-ink-soft empty:sr-only">
        {!isSent && (isSendable ? syncNow.answer : waitsForOwner)}
      </p>
      <p role="status" className="mt-3 text-ink-soft empty:sr-only">
        {status}
      </p>
      <div className="mt-6 flex flex-col gap-3">
        {isSent ? (
          <Button kind="primary" aria-disabled={isBusy} onClick={() => void signOut.leave()}>
            Sign out
          </Button>
        ) : (
          <>
            {isSendable && (
              <Button kind={isOnline ? 'primary' : 'quiet'} onClick={syncNow.press}>
                Sync now
              </Button>
            )}
            {isExportable && (
              <Button kind={isSendable && isOnline ? 'quiet' : 'primary'} onClick={exporting.start}>
                Export
              </Button>
            )}
            {hasShared && <SharedItemsLink onClick={onLeave} />}
            <AskingButton
              label="Discard and sign out"
              kind="quiet-danger"
              aria-disabled={isBusy}
              onConfirm={() => void signOut.leave()}
            />
          </>
        )}
        <Button onClick={signOut.cancel}>Cancel</Button>
      </div>
    </Modal>
  );
}
