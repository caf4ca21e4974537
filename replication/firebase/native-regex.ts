/**
 * Replaces the `re2js` package in the bundle (`scripts/bundle/bundle-aliases.ts`). The full Firestore SDK imports that package for
 * the regular expressions of pipeline queries, which PawPals never runs, and it weighs 45 kB compressed, more than a
 * third of the bell. The methods are the ones that the SDK calls. `RegExp` lacks RE2's linear time, so patterns from
 * other people must never reach it.
 */
interface CompiledPattern {
  readonly matches: (text: string) => boolean;
  readonly test: (text: string) => boolean;
}

export const RE2JS = {
  /** Throws a SyntaxError for an invalid pattern, which the SDK reports as a failed evaluation. */
  compile(pattern: string): CompiledPattern {
    const whole = new RegExp(`^(?:${pattern})$`, 'u');
    const anywhere = new RegExp(pattern, 'u');
    return {
      matches: (text) => whole.test(text),
      test: (text) => anywhere.test(text),
    };
  },
};
