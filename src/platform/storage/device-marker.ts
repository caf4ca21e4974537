/** What a device had that the server had not. Ids only: what they name is not written down twice. */
export interface UnsentIds {
  /** Entries made here and never sent, with their dogs. */
  readonly entries: readonly (readonly [petId: string, entryId: string])[];
  /** Entries whose recording was not sent, with their dogs. */
  readonly recordings: readonly (readonly [petId: string, entryId: string])[];
  /** Dogs made here and never sent. */
  readonly pets: readonly string[];
}

/**
 * That this device had an owner's whole journal. It lies apart from the databases, so that it may outlive them: a browser
 * that is short of space clears those first. Where it clears everything, the sign-in goes too, and nothing is missed.
 */
const prefix = 'pawpals:here:';

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isPairList(value: unknown): value is readonly (readonly [string, string])[] {
  return Array.isArray(value) && value.every((item) => isTextList(item) && item.length === 2);
}

/** null: the device had nothing, or it cannot be read. */
export function readDeviceMarker(uid: string): UnsentIds | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(prefix + uid) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return null;
    const { entries, recordings, pets }: Record<string, unknown> = { ...stored };
    const isKnown = isPairList(entries) && isPairList(recordings) && isTextList(pets);
    return isKnown ? { entries, recordings, pets } : null;
  } catch {
    return null;
  }
}

export function writeDeviceMarker(uid: string, unsent: UnsentIds): void {
  try {
    localStorage.setItem(prefix + uid, JSON.stringify(unsent));
  } catch {
    // Without it nobody is told; nothing else depends on it.
  }
}

export function forgetDeviceMarker(uid: string): void {
  localStorage.removeItem(prefix + uid);
}
