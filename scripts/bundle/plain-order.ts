import type { Plugin } from 'vite';

const file = /\/rxdb\/dist\/esm\/plugins\/utils\/utils-object\.js$/;
const byLocale = 'a.localeCompare(b)';
const plain = '(a < b ? -1 : a > b ? 1 : 0)';

/**
 * RxDB sorts the names in schemas and queries by `localeCompare`. For the first of these calls a browser loads its
 * collator, a twentieth of a cold start; any order will do. Databases that were made with the other one open as before:
 * where the order differs, RxDB compares the content.
 */
export function plainOrder(): Plugin {
  let isDone = false;
  return {
    name: 'plain-order',
    apply: 'build',
    transform(code, id) {
      if (!file.test(id) || !code.includes(byLocale)) return null;
      isDone = true;
      return { code: code.replaceAll(byLocale, plain), map: null };
    },
    buildEnd(error) {
      if (error === undefined && !isDone) this.error('RxDB sorts names otherwise than it did');
    },
  };
}
