import type { LocalDocument } from '../../schemas/documents/document.ts';
import { pictureVersionOf } from '../../schemas/local/file-bytes.ts';
import { pictureVersion, type PictureVersion } from '../../schemas/local/conflict-version.ts';
import type { RecordWrite } from '../../store/document-store.ts';
import type { Ledger } from './ledger.ts';

/** Returns the version of the picture; nothing if it is kept as a version already, or is being restored. */
export function versionRecords(
  ledger: Ledger,
  pet: LocalDocument,
  version: PictureVersion,
): readonly RecordWrite[] {
  const isKnown = [...ledger.versions.values(), ...ledger.placements.values()].some((record) => {
    const picture = pictureVersionOf(record);
    return picture?.petId === pet.id && picture.md5 === version.md5;
  });
  return isKnown ? [] : [pictureVersion(pet, version, ledger.correctedMs)];
}
