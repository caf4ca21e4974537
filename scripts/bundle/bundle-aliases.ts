import { defaultClientConditions } from 'vite';

/** RxJS ships modern classes under the first condition, and ES5 with helpers otherwise. */
export const bundleConditions: string[] = ['es2015', ...defaultClientConditions];

interface Alias {
  readonly find: RegExp;
  readonly replacement: string;
}

/**
 * Returns replacements that make the page and the worker smaller without changing their behaviour. Vite applies them to
 * builds and the development server; tests use the packages as they are.
 *
 * - Dexie's `exports` name the minified ES5 build. Its build for current browsers is smaller, and the bundler drops
 *   unused code from it.
 * - RxDB calls two functions of Mingo: one matches rows with a selector, one compares values. `selectors.ts` has both,
 *   with the operators that PawPals uses.
 * - The menus of Radix lock the page's scrolling by `react-remove-scroll` in their modal mode only.
 * - The `shim` of `use-sync-external-store` is for React before 18; the same package has the hook for React's own store.
 * - React Query has a cache of mutations and infinite queries, which PawPals does not use.
 * - `re2js` serves Firestore's pipeline queries, which PawPals does not run.
 * - Firestore's `bloom-blob` has big integers, which the browser has too, and an MD5 for filters that PawPals does not get.
 */
export function bundleAliases(root: string): Alias[] {
  return [
    { find: /^dexie$/, replacement: `${root}/node_modules/dexie/dist/modern/dexie.mjs` },
    {
      find: /^(\.\/rx-query-mingo\.js|mingo\/util)$/,
      replacement: `${root}/store/rxdb/selectors.ts`,
    },
    { find: /^react-remove-scroll$/, replacement: `${root}/src/ui/menus/no-scroll-lock.ts` },
    { find: /^use-sync-external-store\/shim\//, replacement: 'use-sync-external-store/' },
    {
      find: /^\.\/mutationCache\.js$/,
      replacement: `${root}/src/app/services/no-mutations.ts`,
    },
    {
      find: /^\.\/infiniteQueryBehavior\.js$/,
      replacement: `${root}/src/app/services/no-infinite-queries.ts`,
    },
    { find: /^re2js$/, replacement: `${root}/replication/firebase/no-regex.ts` },
    {
      find: /^@firebase\/webchannel-wrapper\/bloom-blob$/,
      replacement: `${root}/replication/firebase/bloom-blob.ts`,
    },
  ];
}
