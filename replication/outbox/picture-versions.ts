import type { LocalDocument } from '../../schemas/documents/document.ts';
import { pictureVersionOf, type PictureId } from '../../schemas/local/file-bytes.ts';
import type { ConflictVersion } from '../../schemas/local/local-record.ts';
import { conflictVersion, versionRecord } from '../../schemas/local/conflict-version.ts';
import type { RecordWrite } from '../../store/document-store.ts';
import type { Ledger } from './ledger.ts';

export interface PictureVersion {
  readonly objectName: string;
  readonly md5: string;
  /** When it was chosen, in epoch milliseconds; 0 if unknown. */
  readonly stampMs: number;
  readonly side: ConflictVersion['side'];
}

/** Returns the pictures that are kept as conflict versions or are being restored, by the ids of their records. */
export function pictureVersions({
  versions,
  placements,
}: Pick<Ledger, 'versions' | 'placements'>): readonly [recordId: string, PictureId][] {
  return [...versions, ...placements].flatMap(([id, record]): [string, PictureId][] => {
    const picture = pictureVersionOf(record);
    return picture === null ? [] : [[id, picture]];
  });
}

/** Returns the conflict version of a replaced picture, in the form of a merge's version, with its id. */
export function pictureVersion(
  { id }: Pick<LocalDocument, 'id'>,
  { objectName, md5, stampMs, side }: PictureVersion,
  keptAtMs: number,
): [string, ConflictVersion] {
  const lost = {
    fields: { profilePicturePath: objectName, profilePictureVersion: md5 },
    edits: { profilePicturePath: stampMs, profilePictureVersion: stampMs },
    reason: 'other-edit',
    side,
  } as const;
  return versionRecord(conflictVersion({ collection: 'pets', id, petId: null }, lost, keptAtMs));
}

/** Returns {@link pictureVersion}; nothing if there is a version of that picture already. */
export function versionRecords(
  ledger: Ledger,
  pet: LocalDocument,
  version: PictureVersion,
): readonly RecordWrite[] {
  const isKnown = pictureVersions(ledger).some(
    ([, { petId, md5 }]) => petId === pet.id && md5 === version.md5,
  );
  return isKnown ? [] : [pictureVersion(pet, version, ledger.correctedMs)];
}
