import { useData } from '../../../data/data-context.ts';
import { useExport, type Exporting } from '../../../data/transfer/use-export.ts';
import { watchUnsent, type Unsent } from '../../../data/unsent-work.ts';
import { useLiveFrom } from '../../../lib/react/use-live-from.ts';
import { saveFile } from '../../../platform/save-file.ts';

export interface UnsentView extends Omit<Unsent, 'text'> {
  /** Lists the data that only this device has; '' if there is none, null until it is known. */
  readonly words: string | null;
  readonly exporting: Exporting;
}

/** Until it is known, what is unsent is taken for notes. */
const unknown = { text: null, isSendable: true, isExportable: true, hasShared: false };

export function useUnsent(): UnsentView {
  const data = useData();
  const { text, ...unsent } = useLiveFrom(data, watchUnsent) ?? unknown;
  return { words: text, ...unsent, exporting: useExport({ kind: 'unsent' }, saveFile) };
}
