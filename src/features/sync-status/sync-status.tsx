import { useAtomValue } from 'jotai';
import CloudAlert from 'lucide-react/icons/cloud-alert';
import CloudCheck from 'lucide-react/icons/cloud-check';
import CloudOff from 'lucide-react/icons/cloud-off';
import CloudUpload from 'lucide-react/icons/cloud-upload';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { Suspense, useMemo, useState } from 'react';
import { useData } from '../../data/data-context.ts';
import type { SyncOverview } from '../../data/queries/queries.ts';
import { classNames } from '../../lib/dom/class-names.ts';
import { countText } from '../../lib/text/count-text.ts';
import { lazyPart } from '../../lib/react/lazy-part.tsx';
import { useLive } from '../../lib/async/live.ts';
import { syncActivityAtom } from '../../platform/auth/session.ts';
import { statusCopy } from './status-copy.ts';

const syncSheet = lazyPart(async () => (await import('./sync-sheet.lazy.tsx')).SyncSheet);

const icons = {
  synced: CloudCheck,
  syncing: RefreshCw,
  waiting: CloudUpload,
  offline: CloudOff,
  problem: CloudAlert,
};

/** States that change with every note. Screen readers announce only their end. */
const passing = new Set(['syncing', 'waiting']);

/**
 * Returns the number of parked items. Those that are tried again count as parked for as long as they wait: what is sent
 * or discarded meanwhile is taken for one of them.
 */
function useParkedCount({ parkedCount = 0, waitingCount = 0 }: Partial<SyncOverview> = {}): number {
  const all = parkedCount + waitingCount;
  const [held, setHeld] = useState({ count: 0, all: 0 });
  const count = Math.max(parkedCount, held.count - Math.max(0, held.all - all));
  if (count !== held.count || all !== held.all) setHeld({ count, all });
  return count;
}

export function SyncStatus() {
  const { queries } = useData();
  const activity = useAtomValue(syncActivityAtom);
  const overview = useLive(useMemo(() => queries.syncOverview(), [queries]));
  const [isOpen, setIsOpen] = useState(false);
  const parkedCount = useParkedCount(overview);
  const { kind, text, seen } = statusCopy({ activity, overview, parkedCount });
  const keptCount = overview?.versions.length ?? 0;
  const kept = keptCount > 0 ? `. ${countText(keptCount, 'other version')} to look at` : '';
  const label = `${text}${kept}. Sync details`;
  const Icon = icons[kind];
  const isProblem = kind === 'problem';
  return (
    <div
      className={classNames(
        'relative flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full px-2 transition-colors',
        isProblem
          ? 'order-last mx-2 basis-full justify-start! rounded-card! bg-bracken-soft px-3 py-2 text-ink'
          : 'text-ink-soft hover:bg-card-strong',
      )}
    >
      <Icon aria-hidden size={20} className={isProblem ? 'text-bracken' : ''} />
      {keptCount > 0 && (
        <span aria-hidden className="absolute top-2 left-6 size-2.5 rounded-full bg-heather" />
      )}
      <span
        role="status"
        aria-label="Sync status"
        aria-live={passing.has(kind) ? 'off' : 'polite'}
        className={seen === 'all' ? 'tabular-nums' : 'sr-only'}
      >
        {text}
      </span>
      {typeof seen === 'number' && (
        <span aria-hidden className="tabular-nums">
          {seen}
          <span className="max-[22rem]:hidden"> waiting</span>
        </span>
      )}
      <button
        type="button"
        aria-label={label}
        // A title that differs from the label is its description: a screen reader would say the status twice.
        title={label}
        aria-haspopup="dialog"
        className="absolute inset-0 rounded-[inherit]"
        onPointerEnter={syncSheet.preload}
        onFocus={syncSheet.preload}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <Suspense>
          <syncSheet.Component onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
