import type { DocumentStore } from '../../store/document-store.ts';
import { findRestorable } from './file-references.ts';
import type { PictureCache } from './picture-cache.ts';

export interface PictureSweepDeps {
  readonly pictures: Pick<PictureCache, 'petIds' | 'remove'>;
  readonly store: Pick<DocumentStore, 'get' | 'listRecords'>;
}

/** A deleted dog takes its cached picture with it, unless the dog can be restored. */
export async function sweepPictures({ pictures, store }: PictureSweepDeps): Promise<void> {
  const petIds = await pictures.petIds();
  if (petIds.length === 0) return;
  const pets = await store.get('pets', petIds);
  const restorable = await findRestorable(store);
  for (const petId of petIds) {
    if (restorable.has(petId)) continue;
    if (pets.get(petId)?.document.deleted !== false) await pictures.remove(petId);
  }
}
