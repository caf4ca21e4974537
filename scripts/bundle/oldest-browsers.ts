import { readFileSync } from 'node:fs';

interface Manifest {
  readonly browserslist: readonly string[];
}

/** Returns the oldest browsers that the app supports, as build targets: `chrome110`. */
export function oldestBrowsers(): string[] {
  const file = new URL('../../package.json', import.meta.url);
  // The manifest is this repository's own.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { browserslist } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  return browserslist.map((line) => line.replace(' >= ', ''));
}
