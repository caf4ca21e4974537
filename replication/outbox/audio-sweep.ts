import type { DocumentStore } from '../store/document-store.ts';
import type { AudioCache } from './audio-cache.ts';

export interface AudioSweepDeps {
  readonly audios: Pick<AudioCache, 'entryIds' | 'removeOf'>;
  readonly store: Pick<DocumentStore, 'get'>;
}

/** A deleted entry takes its cached recording with it, once the server has heard of it. */
export async function sweepAudios({ audios, store }: AudioSweepDeps): Promise<void> {
  const entryIds = await audios.entryIds();
  if (entryIds.length === 0) return;
  const entries = await store.get('entries', entryIds);
  for (const entryId of entryIds) {
    const entry = entries.get(entryId)?.document;
    if (entry?.deleted === true && entry.pending === 0) await audios.removeOf(entryId);
  }
}
