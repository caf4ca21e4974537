import { hostedPolicy, readFirebaseConfig } from '../deploy-check/firebase-config.ts';

/** Directives that only a header may have; a page that has them gets a warning in the console. */
const headersOnly = new Set(['frame-ancestors']);

/** Google's script and frame are for the browser's popup; the native app uses the system's account list. */
const webOnly = new Set(['frame-src']);

/**
 * Returns the wrapper's form of a hosted page's content security policy: the same hosts, and those that the page's own
 * origin serves in a browser.
 */
export function nativePolicy(hosted: string, origins: readonly string[]): string {
  return hosted
    .split(';')
    .map((directive) => directive.trim().split(/\s+/))
    .filter(([name = '']) => name !== '' && !headersOnly.has(name) && !webOnly.has(name))
    .map(([name = '', ...sources]) => {
      if (name === 'script-src') return [name, "'self'"];
      return name === 'connect-src' ? [name, ...sources, ...origins] : [name, ...sources];
    })
    .map((parts) => parts.join(' '))
    .join('; ');
}

export async function readNativePolicy(root: string, origins: readonly string[]): Promise<string> {
  const config = await readFirebaseConfig(root);
  const hosted = config === null ? null : hostedPolicy(config);
  if (hosted === null) throw new Error('firebase.json has no Content-Security-Policy.');
  return nativePolicy(hosted, origins);
}

const mark = '<meta http-equiv="Content-Security-Policy"';

export function hasNativePolicy(page: string): boolean {
  return page.includes(mark);
}

/** Inserts the policy after the charset, which has to come early, and before anything that loads a resource. */
export function withPolicy(page: string, policy: string): string {
  const charset = /<meta charset="[^"]*"\s*\/?>/i;
  if (!charset.test(page)) throw new Error('The page names no charset.');
  return page.replace(charset, (found) => `${found}\n    ${mark} content="${policy}" />`);
}
