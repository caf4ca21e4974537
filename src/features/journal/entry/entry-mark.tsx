import { useAtomValue } from 'jotai';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import Cloud from 'lucide-react/icons/cloud';
import CloudUpload from 'lucide-react/icons/cloud-upload';
import Smartphone from 'lucide-react/icons/smartphone';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { atom } from 'jotai';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { classNames } from '../../../lib/dom/class-names.ts';
import { syncActivityAtom } from '../../../platform/auth/session.ts';
import { entryState, entryStateText, type EntryState } from './entry-state.ts';

const isSyncingAtom = atom((get) => get(syncActivityAtom).phase === 'syncing');

const icons = {
  saving: CircleDashed,
  local: Smartphone,
  uploading: CloudUpload,
  waiting: CloudUpload,
  cloud: Cloud,
  parked: TriangleAlert,
};

export interface StateMarkProps {
  readonly state: EntryState;
  /** Whether to show the meaning in words beside the icon. */
  readonly isLabelVisible?: boolean;
}

/** Shows the state of an entry. The normal state, in the cloud, is shown only in words. */
export function StateMark({ state, isLabelVisible = state === 'parked' }: StateMarkProps) {
  const Icon = icons[state];
  const text = entryStateText[state];
  const style = classNames(
    'inline-flex items-center gap-1',
    state === 'parked' && 'font-semibold text-bracken',
  );
  return (
    <span title={text} className={style}>
      {(isLabelVisible || state !== 'cloud') && <Icon aria-hidden size={15} />}
      <span className={isLabelVisible ? '' : 'sr-only'}>{text}</span>
    </span>
  );
}

export interface EntryMarkProps extends Omit<StateMarkProps, 'state'> {
  readonly entry: Entry;
}

export function EntryMark({ entry, ...rest }: EntryMarkProps) {
  const isSyncing = useAtomValue(isSyncingAtom);
  return <StateMark state={entryState(entry, isSyncing)} {...rest} />;
}
