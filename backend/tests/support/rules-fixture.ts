import { fileURLToPath } from 'node:url';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** The rules that most tests of the backend use. */
export const OWNERS_RULES = fixture('owners.rules');
export const PET_FILES_RULES = fixture('pet-files.rules');

/** The rules of the conformance tests of the protocol. */
export const OPEN_RULES = fixture('open.rules');
export const OPEN_FILES_RULES = fixture('open-files.rules');
export const KEEP_RULES = fixture('keep.rules');
