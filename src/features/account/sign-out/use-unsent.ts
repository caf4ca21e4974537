import { useData } from '../../../data/data-context.ts';
import { useExport, type Exporting } from '../../../data/transfer/use-export.ts';
import { watchUnsent } from '../../../data/unsent-work.ts';
import { useLiveFrom } from '../../../lib/react/use-live-from.ts';
import { saveFile } from '../../../platform/save-file.ts';

export interface UnsentView {
  /** Lists the data that only this device has; '' if there is none, null until it is known. */
  readonly words: string | null;
  /** Whether some of it is sent by syncing; true until it is known. */
  readonly isSendable: boolean;
  readonly exporting: Exporting;
}

export function useUnsent(): UnsentView {
  const data = useData();
  const { text = null, isSendable = true } = useLiveFrom(data, watchUnsent) ?? {};
  return { words: text, isSendable, exporting: useExport({ kind: 'unsent' }, saveFile) };
}
