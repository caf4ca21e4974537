import { fnv1a } from '../fnv1a.ts';
import type { LocalDocument } from '../documents/document.ts';
import type { ConflictVersion } from './local-record.ts';

function sorted(
  record: Readonly<Record<string, unknown>>,
): readonly (readonly [string, unknown])[] {
  return Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * Returns the record id of a conflict version. It depends only on the lost content, so that a merge that is repeated
 * after a crash keeps one version. Its 96 bits suffice, since an owner keeps a few dozen versions, not millions.
 */
export function versionId(version: ConflictVersion): string {
  const { collection, documentId, side, reason } = version;
  const text = JSON.stringify([
    [collection, documentId, side, reason],
    sorted(version.fields),
    sorted(version.edits),
  ]);
  const hashes = [0x811c9dc5, 0x2f0b4c47, 0x6d1e55a3].map((offset) =>
    fnv1a(`${offset}${text}`, offset).toString(16).padStart(8, '0'),
  );
  return `conflict-version:${hashes.join('')}`;
}

/** Returns the conflict version of a document's content. */
export function conflictVersion(
  { collection, id: documentId, petId }: Pick<LocalDocument, 'collection' | 'id' | 'petId'>,
  lost: Pick<ConflictVersion, 'fields' | 'edits' | 'reason' | 'side'>,
  keptAtMs: number,
): ConflictVersion {
  return { kind: 'conflict-version', collection, documentId, petId, ...lost, keptAtMs };
}

/** Returns a conflict version with the id of its record. */
export function versionRecord(version: ConflictVersion): [id: string, ConflictVersion] {
  return [versionId(version), version];
}

export interface PictureVersion {
  readonly objectName: string;
  readonly md5: string;
  /** When it was chosen, in epoch milliseconds; 0 if unknown. */
  readonly stampMs: number;
  readonly side: ConflictVersion['side'];
}

/** Returns the conflict version of a replaced picture, in the form of a merge's version, with its id. */
export function pictureVersion(
  { id }: Pick<LocalDocument, 'id'>,
  { objectName, md5, stampMs, side }: PictureVersion,
  keptAtMs: number,
): ReturnType<typeof versionRecord> {
  const lost = {
    fields: { profilePicturePath: objectName, profilePictureVersion: md5 },
    edits: { profilePicturePath: stampMs, profilePictureVersion: stampMs },
    reason: 'other-edit',
    side,
  } as const;
  return versionRecord(conflictVersion({ collection: 'pets', id, petId: null }, lost, keptAtMs));
}

export interface Replaced extends Pick<ConflictVersion, 'side' | 'keptAtMs'> {
  /** The names of the fields. */
  readonly names: readonly string[];
}

/** Returns the conflict version of fields that an owner's edit replaces, as a merge would keep it; none for no fields. */
export function replacedVersion(
  document: LocalDocument,
  { names, side, keptAtMs }: Replaced,
): readonly ReturnType<typeof versionRecord>[] {
  if (names.length === 0) return [];
  const fields = Object.entries(document.fields).filter(([name]) => names.includes(name));
  const edits = names.map((name) => [name, document.edits[name] ?? 0]);
  const [kept, stamps] = [Object.fromEntries(fields), Object.fromEntries(edits)];
  const lost = { fields: kept, edits: stamps, reason: 'other-edit', side } as const;
  return [versionRecord(conflictVersion(document, lost, keptAtMs))];
}
