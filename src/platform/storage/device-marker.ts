/** The ids of the data on a device that the server did not have. The marker holds no content. */
export interface UnsentIds {
  /** Entries that were made here and never sent, with their dogs. */
  readonly entries: readonly (readonly [petId: string, entryId: string])[];
  /** Entries whose recording was not sent, with their dogs. */
  readonly recordings: readonly (readonly [petId: string, entryId: string])[];
  /** Dogs that were made here and never sent. */
  readonly pets: readonly string[];
  /** Whether more had not been sent, for example a correction. */
  readonly hasMore: boolean;
}

/**
 * The marker of a device that had an owner's whole journal. It is stored outside the databases, to outlive them: a
 * browser that is short of space evicts those first. A browser that clears everything clears the sign-in too, so
 * nothing is missed.
 */
const prefix = 'pawpals:here:';

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isPairList(value: unknown): value is readonly (readonly [string, string])[] {
  return Array.isArray(value) && value.every((item) => isTextList(item) && item.length === 2);
}

/** Returns null if the device had nothing, or the marker cannot be read. */
export function readDeviceMarker(uid: string): UnsentIds | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(prefix + uid) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return null;
    const { entries, recordings, pets, hasMore }: Record<string, unknown> = { ...stored };
    const isKnown = isPairList(entries) && isPairList(recordings) && isTextList(pets);
    return isKnown ? { entries, recordings, pets, hasMore: hasMore === true } : null;
  } catch {
    return null;
  }
}

export function writeDeviceMarker(uid: string, unsent: UnsentIds): void {
  try {
    localStorage.setItem(prefix + uid, JSON.stringify(unsent));
  } catch {
    // Without the marker, the owner is not told of evicted data; nothing else depends on it.
  }
}

export function forgetDeviceMarker(uid: string): void {
  localStorage.removeItem(prefix + uid);
}
