import { useData } from '../../../data/data-context.ts';
import { readDraft, writeDraft } from '../../../lib/draft.ts';

/** What was shared, each part once, under what is in the box already. */
export function withShared(draft: string, parts: readonly (string | undefined)[]): string {
  const texts = parts.map((part) => part?.trim() ?? '');
  const shared = texts.filter(
    (text, index) => text !== '' && !texts.some((other, at) => at > index && other.includes(text)),
  );
  const joined = shared.join('\n');
  if (draft.trim() === '') return joined;
  return joined === '' || draft.includes(joined) ? draft : `${draft}\n\n${joined}`;
}

/** Puts what another app shares into the box of a journal, for its owner to look at and send. */
export function useKeepShared(): (petId: string, parts: readonly (string | undefined)[]) => void {
  const { uid } = useData();
  return (petId, parts) => {
    const place = { owner: uid, name: petId };
    writeDraft(place, withShared(readDraft(place), parts));
  };
}
