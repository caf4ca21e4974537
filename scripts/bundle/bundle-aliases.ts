import { defaultClientConditions } from 'vite';

/** RxJS ships classes of today under the first name, and ES5 with helpers otherwise. */
export const bundleConditions: string[] = ['es2015', ...defaultClientConditions];

interface Alias {
  readonly find: RegExp;
  readonly replacement: string;
}

/**
 * Replacements that make the page and the worker lighter and change nothing else. Vite uses them for builds and for the
 * development server; tests run the packages as they come.
 *
 * - Dexie's `exports` name the ES5 build, minified already. Its build for current browsers is smaller, and the bundler drops
 *   what nothing uses.
 * - `re2js` serves Firestore's pipeline queries, which PawPals does not run.
 */
export function bundleAliases(root: string): Alias[] {
  return [
    { find: /^dexie$/, replacement: `${root}/node_modules/dexie/dist/modern/dexie.mjs` },
    { find: /^re2js$/, replacement: `${root}/replication/firebase/native-regex.ts` },
  ];
}

/** The worker has the lite SDK alone, which needs less of what it shares with the full one. */
export function workerAliases(root: string): Alias[] {
  const bloomBlob = {
    find: /^@firebase\/webchannel-wrapper\/bloom-blob$/,
    replacement: `${root}/replication/firebase/numeric-id.ts`,
  };
  return [...bundleAliases(root), bloomBlob];
}
