import { fileURLToPath } from 'node:url';

const atRoot = (file: string): string =>
  fileURLToPath(new URL(`../../../${file}`, import.meta.url));

/** What goes to hosted Firebase, and what the backend of every test runs under: what passes here must pass there. */
export const deployedFiles = {
  firestoreRules: atRoot('firestore.rules'),
  storageRules: atRoot('storage.rules'),
  firestoreIndexes: atRoot('firestore.indexes.json'),
};

/** The same for a backend that is a process of its own. */
export const deployedFlags: readonly string[] = [
  '--firestore-rules',
  deployedFiles.firestoreRules,
  '--storage-rules',
  deployedFiles.storageRules,
  '--firestore-indexes',
  deployedFiles.firestoreIndexes,
];
