import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { useData } from '../../data/data-context.ts';
import { downloadJson } from '../../lib/download-json.ts';
import { entryTimeText } from '../../lib/entry-time-text.ts';
import { useLive } from '../../lib/live.ts';
import { useNow } from '../../lib/now.ts';
import { syncActivityAtom, useSession } from '../../platform/session.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { LoserSection } from './loser-section.tsx';
import { ParkedSection } from './parked-section.tsx';
import { statusWords } from './status-words.ts';
import { useAction } from './use-action.ts';
import { WaitingSection } from './waiting-section.tsx';

/** What waits, what was refused and why, what a merge did not choose, and when all was well last. */
export function SyncSheet({ onClose }: { readonly onClose: () => void }) {
  const { queries } = useData();
  const session = useSession();
  const activity = useAtomValue(syncActivityAtom);
  const overview = useLive(useMemo(() => queries.syncOverview(), [queries]));
  const action = useAction();
  const nowMs = useNow();

  if (overview === undefined) return null;
  const { syncedAtMs, waitingCount, parkedEntries, parkedPets } = overview;
  const hasUnsent = waitingCount + parkedEntries.length + parkedPets.length > 0;
  const exportUnsent = async (): Promise<void> => {
    downloadJson('pawpals-unsent.json', await queries.unsent());
  };

  return (
    <Modal title="Sync" placement="bottom" onClose={onClose}>
      {(activity.phase !== 'idle' || !hasUnsent) && (
        <p className="mt-2">{statusWords(activity, overview).text}</p>
      )}
      <p className="mt-1 text-ink-soft">
        {syncedAtMs === null
          ? 'Not synced on this device yet'
          : `Last sync: ${entryTimeText(syncedAtMs, nowMs)}`}
      </p>
      {action.problem !== null && <ProblemNote>{action.problem}</ProblemNote>}
      <WaitingSection overview={overview} />
      <ParkedSection overview={overview} action={action} />
      <LoserSection overview={overview} action={action} />
      <div className="mt-6 flex flex-wrap gap-3">
        {activity.problem === 'unauthenticated' ? (
          <Link to="/auth/login" className={buttonStyle('primary')} onClick={onClose}>
            Sign in again
          </Link>
        ) : (
          <Button kind="primary" onClick={() => session.syncNow()}>
            Sync now
          </Button>
        )}
        {hasUnsent && <Button onClick={() => action.run(exportUnsent)}>Export unsent</Button>}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Modal>
  );
}
