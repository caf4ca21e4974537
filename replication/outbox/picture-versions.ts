import type { LocalDocument } from '../../schemas/document.ts';
import type { Loser } from '../../schemas/local-record.ts';
import { pictureJobId, pictureStamp, pictureType } from '../../schemas/outbox-job.ts';
import { fileOf } from '../../schemas/remove-file.ts';
import { loserId } from '../../schemas/loser-id.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import type { KeptPicture } from './kept-pictures.ts';
import type { Outbox } from './outbox.ts';

export interface PictureVersion {
  readonly objectName: string;
  readonly md5: string;
  /** When it was chosen, in epoch milliseconds; 0 if that is not known. */
  readonly stampMs: number;
  readonly side: Loser['side'];
  readonly keptAtMs: number;
}

/** The record of a picture that gave way, as a merge would have left it, with its id. */
export function pictureVersion(
  { id: documentId }: LocalDocument,
  { objectName, md5, stampMs, side, keptAtMs }: PictureVersion,
): [string, Loser] {
  const loser: Loser = {
    kind: 'loser',
    collection: 'pets',
    documentId,
    petId: null,
    fields: { profilePicturePath: objectName, profilePictureVersion: md5 },
    edits: { profilePicturePath: stampMs, profilePictureVersion: stampMs },
    reason: 'other-edit',
    side,
    keptAtMs,
  };
  return [loserId(loser), loser];
}

/** Ids of the versions with that picture that can be restored, or are being restored. */
export async function versionIds(
  store: Pick<DocumentStore, 'listRecords'>,
  { petId, md5 }: KeptPicture,
): Promise<readonly string[]> {
  const losers = [...(await store.listRecords('loser'))].filter(
    ([, record]) =>
      record.kind === 'loser' &&
      record.documentId === petId &&
      record.fields['profilePictureVersion'] === md5,
  );
  const placed = [...(await store.listRecords('place-file'))].filter(
    ([, record]) =>
      record.kind === 'place-file' && record.sourceId === petId && record.version === md5,
  );
  return [...losers, ...placed].map(([id]) => id);
}

export interface KeptSweepDeps {
  readonly outbox: Pick<Outbox, 'kept' | 'queue' | 'addPicture'>;
  readonly store: Pick<DocumentStore, 'get' | 'listRecords' | 'commit'>;
}

/**
 * Lets go of the bytes of versions that their owner has discarded or restored. A version that its dog shows after all, by
 * an edit that came later than the version was kept, is sent if the server has another file, and is no version any more.
 */
export async function sweepKeptPictures({ outbox, store }: KeptSweepDeps): Promise<void> {
  for (const picture of await outbox.kept.list()) {
    const { petId, md5 } = picture;
    const ids = await versionIds(store, picture);
    const pet = (await store.get('pets', [petId])).get(petId)?.document;
    const isShown = pet?.fields['profilePictureVersion'] === md5;
    if (ids.length > 0 && !isShown) continue;
    if (isShown && (await outbox.queue.get(pictureJobId(petId))) === null) {
      const bytes = await outbox.kept.get(picture);
      const contentType = pictureType(fileOf(pet));
      if (bytes !== null) {
        await outbox.addPicture({ petId, bytes, contentType, chosenAtMs: pictureStamp(pet.edits) });
      }
    }
    await store.commit({ records: ids.map((id) => [id, null]) });
    await outbox.kept.remove(picture);
  }
}
