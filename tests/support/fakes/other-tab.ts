import { writeDraft, type DraftPlace } from '../../../src/lib/draft.ts';

/** Writes a draft as another tab would: browsers send the storage event to every tab but the writing one. */
export function writeInOtherTab(place: DraftPlace, text: string): void {
  writeDraft(place, text);
  const key = `pawpals.draft.${place.owner}.${place.name}`;
  window.dispatchEvent(new StorageEvent('storage', { key, storageArea: localStorage }));
}
