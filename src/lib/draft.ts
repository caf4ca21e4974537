/**
 * The prefix of the keys of drafts. A text is stored while it is typed, so that it survives a crash or a reload. A
 * device that cannot store it (private mode, full) still lets the owner type.
 */
const prefix = 'pawpals.draft.';

export interface DraftPlace {
  /** The owner of the draft, whose sign-out erases it. */
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

/** The texts that the device could not store, by their keys. They last as long as the page. */
const unstored = new Map<string, string>();

export function readDraft(place: DraftPlace): string {
  const key = keyOf(place);
  return unstored.get(key) ?? attempt(() => localStorage.getItem(key) ?? '', '');
}

/** Returns whether the text is stored. */
export function writeDraft(place: DraftPlace, text: string): boolean {
  const key = keyOf(place);
  const isStored = attempt(() => {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  }, false);
  if (isStored) unstored.delete(key);
  else unstored.set(key, text);
  return isStored;
}

/** Removes a draft once this text is saved or given up, unless more was typed since. */
export function forgetDraft(place: DraftPlace, done: string): void {
  if (readDraft(place) === done) writeDraft(place, '');
}

/** Calls `onChange` when another tab changes a draft. @returns a function that stops. */
export function watchDraft(place: DraftPlace, onChange: (text: string) => void): () => void {
  const follow = ({ key }: StorageEvent): void => {
    // The key is null if all of local storage was cleared.
    if (key === null || key === keyOf(place)) onChange(readDraft(place));
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

/** Returns the names of the drafts of an owner, in no order. @param of limits it to that name and those that begin with it and a dot. */
export function draftNames(owner: string, of?: string): readonly string[] {
  const start = keyOf({ owner, name: '' });
  return [...new Set([...attempt(() => Object.keys(localStorage), []), ...unstored.keys()])]
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length))
    .filter((name) => of === undefined || `${name}.`.startsWith(`${of}.`));
}

/** Returns the texts of the drafts of an owner that are not blank. @param of as in {@link draftNames}. */
export function readDrafts(owner: string, of?: string): readonly string[] {
  const texts = draftNames(owner, of).map((name) => readDraft({ owner, name }));
  return texts.filter((text) => text.trim() !== '');
}

/** Erases drafts. @param of as in {@link draftNames}. @returns their names and texts. */
export function eraseDrafts(
  owner: string,
  of?: string,
): readonly (readonly [name: string, text: string])[] {
  return draftNames(owner, of).map((name) => {
    const text = readDraft({ owner, name });
    writeDraft({ owner, name }, '');
    return [name, text];
  });
}
