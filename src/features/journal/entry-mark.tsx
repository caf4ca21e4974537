import { useAtomValue } from 'jotai';
import { CircleDashed, Cloud, CloudUpload, Smartphone, TriangleAlert } from 'lucide-react';
import { atom } from 'jotai';
import type { EntryRow } from '../../../schemas/document.ts';
import { syncActivityAtom } from '../../platform/session.ts';
import { entryState, entryStateText, type EntryState } from './entry-state.ts';

const isSyncingAtom = atom((get) => get(syncActivityAtom).phase === 'syncing');

const icons = {
  saving: CircleDashed,
  local: Smartphone,
  uploading: CloudUpload,
  cloud: Cloud,
  parked: TriangleAlert,
};

export function StateMark({ state }: { readonly state: EntryState }) {
  const Icon = icons[state];
  const text = entryStateText[state];
  if (state === 'parked') {
    return (
      <span className="inline-flex items-center gap-1 font-semibold text-bracken">
        <Icon aria-hidden size={15} />
        {text}
      </span>
    );
  }
  return (
    <span title={text} className={state === 'cloud' ? 'opacity-45' : ''}>
      <Icon aria-hidden size={15} />
      <span className="sr-only">{text}</span>
    </span>
  );
}

export function EntryMark({ entry }: { readonly entry: EntryRow }) {
  const isSyncing = useAtomValue(isSyncingAtom);
  return <StateMark state={entryState(entry, isSyncing)} />;
}
