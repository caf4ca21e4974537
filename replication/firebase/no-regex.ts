/**
 * Replaces the `re2js` package in the bundle (`scripts/bundle/bundle-aliases.ts`). The full Firestore SDK imports that package for
 * the regular expressions of pipeline queries, which PawPals never runs, and it weighs 45 kB compressed, more than a
 * third of the bell. The SDK calls it in no other place, and takes a failed call for an invalid expression.
 */
export const RE2JS = {};
