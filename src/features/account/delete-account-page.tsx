import type { ReactNode } from 'react';
import { useIsOnline } from '../../platform/connection.ts';
import { AskingButton, Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { UnsentNote } from './sign-out/unsent-note.tsx';
import { useUnsent, type UnsentView } from './sign-out/use-unsent.ts';
import { useDeleteAccount, type DeleteAccount } from './use-delete-account.ts';

export interface DeleteAccountPageProps {
  /** Goes one step back. */
  readonly onCancel: () => void;
  /** The page behind the dialogs. */
  readonly children: ReactNode;
}

export function DeleteAccountPage({ onCancel, children }: DeleteAccountPageProps) {
  const deletion = useDeleteAccount();
  const unsent = useUnsent();
  const dialog = { deletion, unsent, onCancel };
  return (
    <>
      <div inert aria-hidden="true" className="flex min-h-0 flex-1 flex-col">
        {children}
      </div>
      {deletion.step === 'confirm' ? (
        <ConfirmDialog {...dialog} />
      ) : (
        <ReauthenticateDialog {...dialog} />
      )}
    </>
  );
}

interface DialogProps extends Pick<DeleteAccountPageProps, 'onCancel'> {
  readonly deletion: DeleteAccount;
  readonly unsent: UnsentView;
}

function ConfirmDialog({ deletion, unsent, onCancel }: DialogProps) {
  const { isBusy, error, remove } = deletion;
  const isOnline = useIsOnline();
  return (
    <Modal
      title="Delete Account"
      placement="centre"
      role="alertdialog"
      isPage
      onClose={isBusy ? null : onCancel}
    >
      <p className="mt-3">
        Your account goes, and with it your dogs, notes, voice notes and pictures, on all your
        devices. This cannot be undone. The export in Settings keeps a copy of it all in a file.
      </p>
      <UnsentNote {...unsent} isErasing={isBusy} />
      <div className="mt-4 empty:hidden">
        {error !== null && <ProblemNote>{error}</ProblemNote>}
        {error === null && !isOnline && (
          <ProblemNote>Deleting your account needs a connection.</ProblemNote>
        )}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button aria-disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
        <Button
          kind="danger"
          aria-disabled={isBusy || unsent.exporting.isBusy}
          onClick={() => void remove()}
        >
          {isBusy ? 'Deleting...' : 'Delete'}
        </Button>
      </div>
    </Modal>
  );
}

function ReauthenticateDialog({ deletion, unsent, onCancel }: DialogProps) {
  const { isBusy, error, reauthenticate } = deletion;
  const label = 'Reauthenticate';
  const isDisabled = isBusy || unsent.exporting.isBusy;
  const button = { kind: 'primary', 'aria-disabled': isDisabled } as const;
  const leave = (): void => void reauthenticate();
  return (
    <Modal
      title="Reauthenticate"
      placement="centre"
      role="alertdialog"
      isPage
      onClose={isBusy ? null : onCancel}
    >
      <p role="alert" className="mt-3 font-semibold">
        {error}
      </p>
      <p className="mt-3">
        Nothing was deleted. Reauthenticate signs you out; sign in again, and you are led back to
        delete your account.
      </p>
      <UnsentNote {...unsent} isErasing={isBusy} />
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button aria-disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
        {/* A press too many on Delete, which was about here, must not erase what is not sent. */}
        {unsent.words === '' ? (
          <Button {...button} onClick={leave}>
            {label}
          </Button>
        ) : (
          <AskingButton {...button} label={label} onConfirm={leave} />
        )}
      </div>
    </Modal>
  );
}
