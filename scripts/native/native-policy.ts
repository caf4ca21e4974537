import { hostedPolicy, readFirebaseConfig } from '../deploy-check/firebase-config.ts';

/** Ignored in a page, and told of in its console: only a header may have it. */
const headersOnly = new Set(['frame-ancestors']);

/** Google's script and its frame are for the popup of a browser; here the system has the list of accounts. */
const webOnly = new Set(['frame-src']);

/**
 * The content security policy of a hosted page, as one in the wrapper needs it: the same hosts, and those that the page's
 * own origin answers for in a browser.
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

/** Behind the charset, which has to come early, and before anything that loads something. */
export function withPolicy(page: string, policy: string): string {
  const charset = /<meta charset="[^"]*"\s*\/?>/i;
  if (!charset.test(page)) throw new Error('The page names no charset.');
  return page.replace(charset, (found) => `${found}\n    ${mark} content="${policy}" />`);
}
