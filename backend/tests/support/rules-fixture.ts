import { fileURLToPath } from 'node:url';

/** The rules most tests of the backend run under. */
export const OWNERS_RULES = fileURLToPath(new URL('../fixtures/owners.rules', import.meta.url));
export const PET_FILES_RULES = fileURLToPath(
  new URL('../fixtures/pet-files.rules', import.meta.url),
);
