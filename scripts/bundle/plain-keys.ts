import type { Plugin } from 'vite';

const file = /\/lucide-react\/dist\/esm\/icons\//;
const key = /\bkey: "[^"]*"/g;

/**
 * Numbers the lines of Lucide's icons. The package names each by six random letters, which do not compress, and React
 * needs them to differ within an icon only.
 */
export function plainKeys(): Plugin {
  let isDone = false;
  return {
    name: 'plain-keys',
    apply: 'build',
    transform(code, id) {
      if (!file.test(id)) return null;
      let lines = 0;
      const plain = code.replaceAll(key, () => `key: "${String(lines++)}"`);
      isDone ||= lines > 0;
      return { code: plain, map: null };
    },
    buildEnd(error) {
      if (error === undefined && !isDone) this.error('Lucide names the lines of icons otherwise');
    },
  };
}
