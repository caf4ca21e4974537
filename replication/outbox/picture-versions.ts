import type { LocalDocument } from '../../schemas/documents/document.ts';
import { pictureVersionOf, type PictureId } from '../../schemas/local/file-bytes.ts';
import { pictureVersion, type PictureVersion } from '../../schemas/local/conflict-version.ts';
import type { RecordWrite } from '../../store/document-store.ts';
import type { Ledger } from './ledger.ts';

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

/** Returns the version of the picture; nothing if there is a version of that picture already. */
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
