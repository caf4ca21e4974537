import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useMemo, useState } from 'react';
import { isParked } from '../../../schemas/local/outbox-job.ts';
import { commandErrorCopy } from '../../data/commands/commands.ts';
import { useData } from '../../data/data-context.ts';
import { syncNowAnswer } from '../../data/sync-problem.ts';
import { entryTimeText } from '../../lib/dates/entry-time-text.ts';
import { useLive } from '../../lib/async/live.ts';
import { useNow } from '../../lib/dates/now.ts';
import { useAction } from '../../lib/react/use-action.ts';
import { syncActivityAtom, useSession } from '../../platform/auth/session.ts';
import { buttonStyle, textLinkStyle } from '../../ui/button-style.ts';
import { Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { ExportUnsent } from './export-unsent.tsx';
import { doneTexts } from './item-copy.ts';
import { VersionSection } from './version-section.tsx';
import { ParkedSection, retriedByAll } from './parked-section.tsx';
import { statusCopy } from './status-copy.ts';
import { WaitingSection } from './waiting-section.tsx';

/** Shows unsent data, parked changes with their reasons, conflict versions, and the time of the last sync. */
export function SyncSheet({ onClose }: { readonly onClose: () => void }) {
  const { queries } = useData();
  const session = useSession();
  const activity = useAtomValue(syncActivityAtom);
  const overview = useLive(useMemo(() => queries.syncOverview(), [queries]));
  const pets = useLive(useMemo(() => queries.pets(), [queries]));
  const action = useAction(commandErrorCopy);
  const nowMs = useNow();
  const [isSyncAsked, setIsSyncAsked] = useState(false);

  if (overview === undefined || pets === undefined) return null;
  const { syncedAtMs, waitingCount, parkedCount, parkedPets, parkedEntries, versions } = overview;
  const parked = [...parkedPets, ...parkedEntries, ...(overview.files?.filter(isParked) ?? [])];
  const isParkedAgain =
    (action.done === doneTexts.retry && parked.some(({ id }) => id === action.itemId)) ||
    (action.done === doneTexts.retryAll && retriedByAll(overview, pets).length > 0);
  const isSignedOut = activity.problem === 'unauthenticated';
  const hasUnsent = waitingCount + parkedCount > 0;
  const hasRecovered = overview.files?.some(({ stage }) => stage === 'recorded') === true;
  // A section of its own tells of what is parked.
  const status = statusCopy({ activity, overview, parkedCount: 0 });
  const problem = action.itemId === '' ? action.problem : null;
  const syncNow = (): void => {
    setIsSyncAsked(true);
    session.syncNow();
  };

  return (
    <Modal title="Sync" placement="bottom" onClose={onClose}>
      {(activity.phase !== 'idle' || !hasUnsent) && <p className="mt-2">{status.text}</p>}
      <p className="mt-1 text-ink-soft">
        {syncedAtMs === null
          ? 'Not synced on this device yet'
          : `Last sync: ${entryTimeText(syncedAtMs, nowMs)}`}
      </p>
      <WaitingSection overview={overview} pets={pets} />
      <ParkedSection overview={overview} pets={pets} action={action} />
      <VersionSection versions={versions} pets={pets} action={action} />
      <p role="status" className="mt-6 text-ink-soft empty:sr-only">
        {!isParkedAgain && action.done}
      </p>
      <p role="status" className="mt-6 text-ink-soft empty:sr-only">
        {isSyncAsked && syncNowAnswer(activity)}
      </p>
      {problem !== null && <ProblemNote>{problem}</ProblemNote>}
      <ExportUnsent isOffered={hasUnsent || hasRecovered || versions.length > 0} />
      {isSignedOut && (
        <p className="mt-6">
          If the account was deleted,{' '}
          <Link to="/settings" className={textLinkStyle} onClick={onClose}>
            sign out in Settings
          </Link>
          ; that asks about what was not sent.
        </p>
      )}
      <div className="modal-actions flex flex-wrap gap-3 *:flex-1">
        {isSignedOut ? (
          <Link to="/auth/login" className={buttonStyle('primary')} onClick={onClose}>
            Sign in again
          </Link>
        ) : (
          <Button kind="primary" onClick={syncNow}>
            Sync now
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Modal>
  );
}
