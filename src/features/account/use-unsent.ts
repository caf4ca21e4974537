import { useMemo } from 'react';
import { commandSentence } from '../../data/commands.ts';
import { useData } from '../../data/data-context.ts';
import { downloadJson } from '../../lib/download-json.ts';
import { useLive } from '../../lib/live.ts';
import { useAction } from '../../lib/use-action.ts';
import { countUnsent, draftTexts, hasUnsent, unsentText } from './unsent-work.ts';

export interface Unsent {
  /** What only this device has, in words; '' if that is nothing, null until it is known. */
  readonly words: string | null;
  readonly exportAll: () => void;
  /** Why the last export failed. */
  readonly problem: string | null;
}

export function useUnsent(): Unsent {
  const { uid, queries } = useData();
  const overview = useLive(useMemo(() => queries.syncOverview(), [queries]));
  const { run, problem } = useAction(commandSentence);
  const unsent =
    overview === undefined || overview.files === null ? null : countUnsent(overview, uid);

  const exportUnsent = async (): Promise<void> => {
    const drafts = draftTexts(uid);
    downloadJson('pawpals-unsent.json', { ...(await queries.unsent()), drafts });
  };

  const words = unsent === null ? null : hasUnsent(unsent) ? unsentText(unsent) : '';
  return { words, problem, exportAll: () => run(exportUnsent) };
}
