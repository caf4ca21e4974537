import { fileURLToPath } from 'node:url';

/** The rules most tests of the backend run under. */
export const OWNERS_RULES = fileURLToPath(new URL('../fixtures/owners.rules', import.meta.url));
