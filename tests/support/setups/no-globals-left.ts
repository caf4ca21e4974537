import { afterAll } from 'vitest';

/** Libraries leave these by their first use. */
const ofLibraries = /^(__|Symbol\(|regeneratorRuntime$|IS_REACT_ACT_ENVIRONMENT$)/;

/** Files share their page: what one of them leaves behind is there for those that come after it. */
const before = new Set(Reflect.ownKeys(globalThis));

afterAll(() => {
  const left = Reflect.ownKeys(globalThis).filter((key) => !before.has(key));
  const own = left.map(String).filter((name) => !ofLibraries.test(name));
  if (own.length > 0) throw new Error(`This file has left globals: ${own.join(', ')}`);
});
