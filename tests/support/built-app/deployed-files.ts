import { fileURLToPath } from 'node:url';

const atRoot = (file: string): string =>
  fileURLToPath(new URL(`../../../${file}`, import.meta.url));

/**
 * The rules and indexes that are deployed to hosted Firebase. The backend of every test uses the same files, so that
 * the tests hold for the deployment too.
 */
export const deployedFiles = {
  firestoreRules: atRoot('firestore.rules'),
  storageRules: atRoot('storage.rules'),
  firestoreIndexes: atRoot('firestore.indexes.json'),
};

/** The same files as flags for a backend in a process of its own. */
export const deployedFlags: readonly string[] = [
  '--firestore-rules',
  deployedFiles.firestoreRules,
  '--storage-rules',
  deployedFiles.storageRules,
  '--firestore-indexes',
  deployedFiles.firestoreIndexes,
];
