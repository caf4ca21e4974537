import { statfsSync } from 'node:fs';

/** Returns the free bytes that the file system of a path has for users other than root. */
export function freeBytesOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
