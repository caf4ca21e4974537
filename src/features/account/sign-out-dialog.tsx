import { useMemo } from 'react';
import { commandSentence } from '../../data/commands.ts';
import { useData } from '../../data/data-context.ts';
import { downloadJson } from '../../lib/download-json.ts';
import { useLive } from '../../lib/live.ts';
import { useAction } from '../../lib/use-action.ts';
import { useSession } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { countUnsent, draftTexts, hasUnsent, unsentText } from './unsent-work.ts';
import type { SignOut } from './use-sign-out.ts';

/** Asks before unsent work would be erased with the rest. */
export function SignOutDialog({ signOut }: { readonly signOut: SignOut }) {
  const { uid, queries } = useData();
  const session = useSession();
  const overview = useLive(useMemo(() => queries.syncOverview(), [queries]));
  const action = useAction(commandSentence);
  const unsent = overview === undefined ? null : countUnsent(overview, uid);
  const isSent = unsent !== null && !hasUnsent(unsent);

  const exportUnsent = async (): Promise<void> => {
    const drafts = draftTexts(uid);
    downloadJson('pawpals-unsent.json', { ...(await queries.unsent()), drafts });
  };

  return (
    <Modal
      title={isSent ? 'Everything is sent' : 'Not everything is sent'}
      placement="centre"
      role="alertdialog"
      onClose={signOut.cancel}
    >
      <p className="mt-3" aria-live="polite">
        {unsent !== null && !isSent && `${unsentText(unsent)}. `}
        {isSent
          ? 'You can sign out now. Your journal is in the cloud.'
          : 'Signing out erases this device, and with it what only this device has.'}
      </p>
      {action.problem !== null && <ProblemNote>{action.problem}</ProblemNote>}
      <div className="mt-6 flex flex-col gap-3">
        {isSent ? (
          <Button kind="primary" onClick={() => void signOut.leave()}>
            Sign out
          </Button>
        ) : (
          <>
            <Button kind="primary" onClick={() => session.syncNow()}>
              Sync now
            </Button>
            <Button onClick={() => action.run(exportUnsent)}>Export</Button>
            <Button kind="danger" onClick={() => void signOut.leave()}>
              Discard and sign out
            </Button>
          </>
        )}
        <Button onClick={signOut.cancel}>Cancel</Button>
      </div>
    </Modal>
  );
}
