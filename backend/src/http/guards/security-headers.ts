/** Returns a policy by which a page loads everything from its own origin. */
function contentSecurityPolicy(styleHashes: readonly string[]): string {
  const styles = styleHashes.map((hash) => ` '${hash}'`).join('');
  return [
    "default-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    `style-src 'self'${styles}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "worker-src 'self'",
    "manifest-src 'self'",
  ].join('; ');
}

export const pageHeaders = (styleHashes: readonly string[]): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': contentSecurityPolicy(styleHashes),
  'Referrer-Policy': 'same-origin',
});

/** Enforces https for a year, for the host of the answer and none of its subdomains. */
export const strictTransportSecurity = 'max-age=31536000';
