import type { LocalDocument } from '../../schemas/document.ts';
import { pictureBytesId } from '../../schemas/file-bytes.ts';
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

/** Ids of the versions with that picture that can be restored, or are being restored. */
export async function versionIds(
  store: Pick<DocumentStore, 'listRecords'>,
  { petId, md5 }: PictureId,
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

export interface ShownVersionsDeps {
  readonly outbox: Pick<Outbox, 'caches' | 'queue' | 'addPicture'>;
  readonly store: Pick<DocumentStore, 'get' | 'listRecords' | 'commit'>;
}

async function versions(
  store: Pick<DocumentStore, 'listRecords'>,
): Promise<ReadonlyMap<string, PictureId>> {
  const records = [
    ...(await store.listRecords('loser')).values(),
    ...(await store.listRecords('place-file')).values(),
  ];
  const pictures = records.flatMap((record): PictureId[] => {
    if (record.kind === 'place-file') {
      return record.version === null ? [] : [{ petId: record.sourceId, md5: record.version }];
    }
    const md5 = record.kind === 'loser' ? record.fields['profilePictureVersion'] : undefined;
    return record.kind === 'loser' && typeof md5 === 'string'
      ? [{ petId: record.documentId, md5 }]
      : [];
  });
  return new Map(pictures.map((picture) => [pictureBytesId(picture), picture]));
}

/**
 * A version that its dog shows after all, by an edit that came later than the version was kept, is no version any more. Its
 * bytes are sent, which ends at once if the server has them.
 */
export async function sendShownVersions({ outbox, store }: ShownVersionsDeps): Promise<void> {
  for (const picture of (await versions(store)).values()) {
    const { petId, md5 } = picture;
    const pet = (await store.get('pets', [petId])).get(petId)?.document;
    const kept = await outbox.caches.version(picture);
    if (pet?.fields['profilePictureVersion'] !== md5 || kept === null) continue;
    const ended = { records: (await versionIds(store, picture)).map((id) => [id, null] as const) };
    if ((await outbox.queue.get(pictureJobId(petId))) === null) {
      const chosen = { contentType: pictureType(fileOf(pet)), chosenAtMs: pictureStamp(pet.edits) };
      await outbox.addPicture({ petId, bytes: kept.bytes, ...chosen }, ended);
    } else await store.commit(ended);
  }
}
