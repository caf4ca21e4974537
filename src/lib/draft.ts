/**
 * Text that is being typed, kept as it is typed, so that a crash or a reload loses nothing. A device that cannot store
 * it (private mode, full) only loses the safety, never the typing.
 */
const prefix = 'pawpals.draft.';

export interface DraftPlace {
  /** Whose draft: it goes when that person signs out. */
  readonly owner: string;
  readonly name: string;
}

function keyOf({ owner, name }: DraftPlace): string {
  return `${prefix}${owner}.${name}`;
}

function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

export function readDraft(place: DraftPlace): string {
  return attempt(() => localStorage.getItem(keyOf(place)) ?? '', '');
}

export function writeDraft(place: DraftPlace, text: string): void {
  attempt(() => {
    if (text === '') localStorage.removeItem(keyOf(place));
    else localStorage.setItem(keyOf(place), text);
  }, undefined);
}

/** Follows what other tabs do with a draft. @returns a function that stops. */
export function watchDraft(place: DraftPlace, onChange: (text: string) => void): () => void {
  const follow = ({ key }: StorageEvent): void => {
    // null: everything was erased.
    if (key === null || key === keyOf(place)) onChange(readDraft(place));
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

/** The names of all places where this owner has a draft, in no order. */
export function draftNames(owner: string): readonly string[] {
  const start = keyOf({ owner, name: '' });
  return attempt(() => Object.keys(localStorage), [])
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length));
}

/** @param of only those of that place: of that name, or of one that begins with it and a dot. */
export function eraseDrafts(owner: string, of?: string): void {
  for (const name of draftNames(owner)) {
    if (of === undefined || `${name}.`.startsWith(`${of}.`)) writeDraft({ owner, name }, '');
  }
}
