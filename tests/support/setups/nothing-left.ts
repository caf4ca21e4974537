import { afterAll } from 'vitest';

/** Test files share a page, so what one leaves on it affects later ones. */

/** The globals that libraries add on first use. */
const ofLibraries = /^(__|Symbol\(|regeneratorRuntime$|IS_REACT_ACT_ENVIRONMENT$)/;

const before = new Set(Reflect.ownKeys(globalThis));

afterAll(() => {
  const left = Reflect.ownKeys(globalThis).filter((key) => !before.has(key));
  const own = left.map(String).filter((name) => !ofLibraries.test(name));
  if (own.length > 0) throw new Error(`This file has left globals: ${own.join(', ')}`);
});

// A listener that needs what its test has taken away again fails here, not in whichever file comes next.
afterAll(() => {
  for (const type of ['offline', 'online', 'focus']) window.dispatchEvent(new Event(type));
  document.dispatchEvent(new Event('visibilitychange'));
});
