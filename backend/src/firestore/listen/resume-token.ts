/** Encodes a token as `epoch:version`, which is opaque to the client. */
export const encodeResumeToken = (epoch: string, version: number): string =>
  Buffer.from(`${epoch}:${version}`).toString('base64');

/** Returns the version of a token; undefined for a token of another store. */
export function decodeResumeToken(token: string, epoch: string): number | undefined {
  const text = Buffer.from(token, 'base64').toString('utf8');
  if (!text.startsWith(`${epoch}:`)) return undefined;
  const version = Number(text.slice(epoch.length + 1));
  return Number.isSafeInteger(version) && version > 0 ? version : undefined;
}
