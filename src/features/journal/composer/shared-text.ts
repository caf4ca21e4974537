import { withPlainLineEnds } from '../../../../schemas/documents/plain-text.ts';
import { useData } from '../../../data/data-context.ts';
import { readDraft, writeDraft } from '../../../lib/draft.ts';

/**
 * Returns the draft with the shared texts below it, without repetitions. A share that is handled twice, as after a crash,
 * finds its text where it was put, as paragraphs of its own; a draft that merely contains the words gets them.
 */
export function withShared(draft: string, parts: readonly (string | undefined)[]): string {
  const texts = parts.map((part) => withPlainLineEnds(part ?? '').trim());
  const shared = texts.filter(
    (text, index) => text !== '' && !texts.some((other, at) => at > index && other.includes(text)),
  );
  const joined = shared.join('\n');
  if (draft.trim() === '') return joined;
  const isKept = `\n\n${draft}\n\n`.includes(`\n\n${joined}\n\n`);
  return joined === '' || isKept ? draft : `${draft}\n\n${joined}`;
}

/**
 * Returns a function that puts shared texts into the box of a journal, for the owner to check and send. It returns whether
 * the box keeps them.
 */
export function useKeepShared(): (
  petId: string,
  parts: readonly (string | undefined)[],
) => boolean {
  const { uid } = useData();
  return (petId, parts) => {
    const place = { owner: uid, name: petId };
    return writeDraft(place, withShared(readDraft(place), parts));
  };
}
