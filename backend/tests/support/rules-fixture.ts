import { fileURLToPath } from 'node:url';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** The rules that most tests of the backend use. */
export const ownersRules = fixture('owners.rules');
export const petFilesRules = fixture('pet-files.rules');

/** The rules of the conformance tests of the protocol. */
export const openRules = fixture('open.rules');
export const openFilesRules = fixture('open-files.rules');
export const keepRules = fixture('keep.rules');
