import { readFileSync } from 'node:fs';

interface Manifest {
  readonly browserslist: readonly string[];
}

/** The oldest browsers that the app runs in, in the words of a build target: `chrome110`. */
export function oldestBrowsers(): string[] {
  const file = new URL('../../package.json', import.meta.url);
  // Of this repository.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { browserslist } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  return browserslist.map((line) => line.replace(' >= ', ''));
}
