import { AuthError } from '../auth-error.ts';

export interface LinkOriginsOptions {
  /** The public origin of the app; null when it is not configured. */
  readonly publicOrigin: string | null;
  readonly isLoopbackOnly: boolean;
}

/** A mail is kept with its link, so a long URL would fill the disk. */
const maxContinueUrlLength = 2048;

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Decides which origin a link in a mail may lead to. A client can forge the `Host` and `Origin` headers, and a link to a
 * foreign page would give it the code. Only the public origin is allowed, and loopback ones while only this machine can
 * reach the server.
 */
export function createLinkOrigins(options: LinkOriginsOptions) {
  const { publicOrigin, isLoopbackOnly } = options;
  const isTrusted = ({ origin, protocol, hostname }: URL) =>
    origin === publicOrigin ||
    (isLoopbackOnly && /^https?:$/.test(protocol) && loopback.has(hostname));

  return {
    /**
     * @param request its `continueUrl` may be empty: then the origin of the calling page is used.
     * @throws {AuthError} INVALID_CONTINUE_URI, UNAUTHORIZED_DOMAIN
     */
    resolve({ continueUrl, pageOrigin }: { continueUrl: string; pageOrigin: string }): string {
      const isUrl = URL.canParse(continueUrl) && continueUrl.length <= maxContinueUrlLength;
      if (continueUrl !== '' && !isUrl) {
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
