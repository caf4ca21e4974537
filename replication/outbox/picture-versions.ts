import type { LocalDocument } from '../../schemas/document.ts';
import { pictureVersionOf } from '../../schemas/file-bytes.ts';
import type { Loser } from '../../schemas/local-record.ts';
import { pictureJobId, pictureStamp, pictureType } from '../../schemas/outbox-job.ts';
import { fileOf } from '../../schemas/remove-file.ts';
import { loserId } from '../../schemas/loser-id.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import type { PictureId } from '../../store/files/file-caches.ts';
import type { Outbox } from '../../store/files/outbox.ts';

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

type Store = Pick<DocumentStore, 'get' | 'listRecords' | 'commit'>;

/** Pictures that were kept as another version or are being restored, by the ids of their records. */
async function findVersions(
  store: Pick<Store, 'listRecords'>,
): Promise<readonly (readonly [recordId: string, picture: PictureId])[]> {
  const records = [
    ...(await store.listRecords('loser')),
    ...(await store.listRecords('place-file')),
  ];
  return records.flatMap(([id, record]) => {
    const picture = pictureVersionOf(record);
    return picture === null ? [] : [[id, picture] as const];
  });
}

/** Ids of the versions with that picture that can be restored, or are being restored. */
export async function versionIds(
  store: Pick<Store, 'listRecords'>,
  { petId, md5 }: PictureId,
): Promise<readonly string[]> {
  const versions = await findVersions(store);
  return versions.flatMap(([id, found]) => (found.petId === petId && found.md5 === md5 ? id : []));
}

export interface ShownVersionsDeps {
  readonly outbox: Pick<Outbox, 'caches' | 'queue' | 'addPicture'>;
  readonly store: Store;
}

/**
 * A version that its dog shows after all, by an edit that came later than the version was kept, is no version any more. Its
 * bytes are sent, which ends at once if the server has them.
 */
export async function sendShownVersions({ outbox, store }: ShownVersionsDeps): Promise<void> {
  for (const [id, picture] of await findVersions(store)) {
    const { petId, md5 } = picture;
    const pet = (await store.get('pets', [petId])).get(petId)?.document;
    if (pet?.fields['profilePictureVersion'] !== md5) continue;
    const kept = await outbox.caches.version(picture);
    if (kept === null) continue;
    const ended = { records: [[id, null] as const] };
    if ((await outbox.queue.get(pictureJobId(petId))) === null) {
      const chosen = { contentType: pictureType(fileOf(pet)), chosenAtMs: pictureStamp(pet.edits) };
      await outbox.addPicture({ petId, bytes: kept.bytes, ...chosen }, ended);
    } else await store.commit(ended);
  }
}
