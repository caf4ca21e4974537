import { AuthError } from '../auth-error.ts';

export interface LinkOriginOptions {
  /** The public origin of the app; null when it is not configured. */
  readonly publicOrigin: string | null;
  readonly isLoopbackOnly: boolean;
}

/** A mail is kept with its link, so a long URL would fill the disk. */
const maxContinueUrlLength = 2048;

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface LinkRequest {
  /** Empty when the request has none: then the origin of the calling page is used. */
  readonly continueUrl: string;
  readonly pageOrigin: string;
}

/**
 * Returns the origin that a link in a mail leads to. A client can forge the `Host` and `Origin` headers, and a link to a
 * foreign page would give it the code. Only the public origin is allowed, and loopback ones while only this machine can
 * reach the server.
 *
 * @throws {AuthError} INVALID_CONTINUE_URI, UNAUTHORIZED_DOMAIN
 */
export function linkOrigin(
  { publicOrigin, isLoopbackOnly }: LinkOriginOptions,
  { continueUrl, pageOrigin }: LinkRequest,
): string {
  // The length comes first: the parser normalizes the host, which takes long if it is long.
  const isUrl = continueUrl.length <= maxContinueUrlLength && URL.canParse(continueUrl);
  if (continueUrl !== '' && !isUrl) throw new AuthError('INVALID_CONTINUE_URI');
  const wanted = continueUrl === '' ? (publicOrigin ?? pageOrigin) : continueUrl;
  const url = URL.canParse(wanted) ? new URL(wanted) : null;
  const isLocal = /^https?:$/.test(url?.protocol ?? '') && loopback.has(url?.hostname ?? '');
  if (url === null || (url.origin !== publicOrigin && !(isLoopbackOnly && isLocal))) {
    throw new AuthError('UNAUTHORIZED_DOMAIN', 'Domain not allowlisted by project');
  }
  return url.origin;
}
