import { afterAll } from 'vitest';

/** The globals that libraries add on first use. */
const ofLibraries = /^(__|Symbol\(|regeneratorRuntime$|IS_REACT_ACT_ENVIRONMENT$)/;

/** The globals before the tests of a file. Test files share a page, so a global that one leaves affects later ones. */
const before = new Set(Reflect.ownKeys(globalThis));

afterAll(() => {
  const left = Reflect.ownKeys(globalThis).filter((key) => !before.has(key));
  const own = left.map(String).filter((name) => !ofLibraries.test(name));
  if (own.length > 0) throw new Error(`This file has left globals: ${own.join(', ')}`);
});
