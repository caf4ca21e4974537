import { AuthError } from '../auth-error.ts';

/**
 * Which origin a link in a mail may lead to. The `Host` and `Origin` headers are whatever a client
 * says, and a link to a stranger's page would hand it the code: only origins that this server was
 * told about count, and this machine's own while nobody else can reach the server.
 */
export interface LinkOriginsOptions {
  /** The origin of the app, as owners know it; null when it was not said. */
  readonly publicOrigin: string | null;
  readonly allowedOrigins: readonly string[];
  readonly isLoopbackOnly: boolean;
}

export interface LinkOrigins {
  /**
   * @param continueUrl of the request, or empty: then the origin of the page that asks.
   * @throws {AuthError} INVALID_CONTINUE_URI, UNAUTHORIZED_DOMAIN
   */
  resolve(request: { readonly continueUrl: string; readonly pageOrigin: string }): string;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export function createLinkOrigins(options: LinkOriginsOptions): LinkOrigins {
  const { publicOrigin, allowedOrigins, isLoopbackOnly } = options;
  const trusted = new Set([...allowedOrigins, ...(publicOrigin === null ? [] : [publicOrigin])]);
  const isTrusted = ({ origin, protocol, hostname }: URL) =>
    trusted.has(origin) || (isLoopbackOnly && /^https?:$/.test(protocol) && LOOPBACK.has(hostname));

  return {
    resolve({ continueUrl, pageOrigin }) {
      if (continueUrl !== '' && !URL.canParse(continueUrl)) {
        throw new AuthError('INVALID_CONTINUE_URI');
      }
      const wanted = continueUrl === '' ? (publicOrigin ?? pageOrigin) : continueUrl;
      const url = URL.canParse(wanted) ? new URL(wanted) : null;
      if (url === null || !isTrusted(url)) {
        throw new AuthError('UNAUTHORIZED_DOMAIN', 'Domain not allowlisted by project');
      }
      return url.origin;
    },
  };
}
