import { writeDraft, type DraftPlace } from '../../../src/lib/draft.ts';

/** As if another tab had written a draft: browsers tell every tab of it but that one. */
export function writeInOtherTab(place: DraftPlace, text: string): void {
  writeDraft(place, text);
  const key = `pawpals.draft.${place.owner}.${place.name}`;
  window.dispatchEvent(new StorageEvent('storage', { key, storageArea: localStorage }));
}
