import { apiPrefixes } from './api-prefixes.ts';

/** Paths that the server handles itself. */
export const serverPaths: readonly string[] = [...apiPrefixes, '/static/'];

/** An install event with the Static Routing API, which only Chromium has (since 123) and the platform's types lack. */
interface RoutingInstallEvent extends ExtendableEvent {
  readonly addRoutes?: (rules: readonly RouterRule[]) => Promise<void>;
}

interface RouterRule {
  readonly condition: { readonly urlPattern: Readonly<Record<string, string>> };
  readonly source: 'network';
}

/** A pattern without these parts matches the worker's own origin only, and hosted Firebase has others. */
const anyOrigin = { protocol: '*', hostname: '*', port: '*' };

/**
 * Has the browser send requests for APIs, on any origin, past the worker.
 *
 * - They wake no worker that they do not need.
 * - They hold up no new version: Chromium starts a worker again for a request that arrives while the worker is being
 *   replaced, and then keeps it, for half a minute after its last request and for up to five minutes.
 */
export function routePastWorker(event: ExtendableEvent): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const install = event as RoutingInstallEvent;
  const rules = apiPrefixes.map((prefix): RouterRule => {
    const urlPattern = { ...anyOrigin, pathname: `${prefix}*` };
    return { condition: { urlPattern }, source: 'network' };
  });
  const added = install.addRoutes?.(rules);
  // Without the rules, as in a browser that does not know them, the worker ignores the requests.
  if (added !== undefined) install.waitUntil(added.catch(() => undefined));
}
