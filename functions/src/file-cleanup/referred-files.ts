import type { DocumentFields, FileHolders, StoredFile } from './ports.ts';

/**
 * Returns the files that a live document refers to: their pet by `profilePicturePath`, or an entry by `fileLocation`.
 *
 * - A file whose pet has no document has no reference: the rules let nobody read it, whatever entries refer to it.
 * - A deleted pet refers to nothing. Its live entries still do, until a device of the owner deletes them.
 * - Entries of other pets count: an earlier client may have moved an entry without its file.
 *
 * @returns their names.
 */
export async function findReferredFiles(
  holders: FileHolders,
  files: readonly Pick<StoredFile, 'name'>[],
): Promise<ReadonlySet<string>> {
  const petIds = new Set(files.flatMap(({ name }) => petIdOf(name) ?? []));
  if (petIds.size === 0) return new Set();
  const pets = await holders.readPets([...petIds]);
  const petOf = (name: string) => pets.get(petIdOf(name) ?? '');
  const names = files.map(({ name }) => name).filter((name) => petOf(name) !== undefined);
  if (names.length === 0) return new Set();
  const filesOfEntries = new Set<unknown>();
  for await (const entry of holders.findEntries(names)) {
    if (isLive(entry)) filesOfEntries.add(entry['fileLocation']);
  }
  const isReferred = (name: string): boolean => {
    const pet = petOf(name);
    const isPicture = pet !== undefined && isLive(pet) && pet['profilePicturePath'] === name;
    return isPicture || filesOfEntries.has(name);
  };
  return new Set(names.filter(isReferred));
}

const isLive = (fields: DocumentFields): boolean => fields['deleted'] !== true;

/** @returns null if the file is in no pet's folder. */
const petIdOf = (fileName: string): string | null =>
  /^pets\/([^/]+)\/./.exec(fileName)?.[1] ?? null;
