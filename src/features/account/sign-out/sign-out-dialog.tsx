import { AskingButton, Button } from '../../../ui/button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import type { SignOut } from './use-sign-out.ts';
import { useSyncNow } from './use-sync-now.ts';
import { useUnsent } from './use-unsent.ts';

const waitsForOwner =
  'What is left waits for you: a recording to keep or discard, a draft to save, a shared item to use, or another version to choose.';

/** Asks before a sign-out erases unsent work. */
export function SignOutDialog({ signOut }: { readonly signOut: SignOut }) {
  const { words, isSendable, exporting } = useUnsent();
  const { isBusy, status, problem } = exporting;
  const syncNow = useSyncNow();
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
        {!isSent && (isSendable && !syncNow.isOver ? syncNow.answer : waitsForOwner)}
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
              <Button kind="primary" onClick={syncNow.press}>
                Sync now
              </Button>
            )}
            <Button kind={isSendable ? 'quiet' : 'primary'} onClick={exporting.start}>
              Export
            </Button>
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
