import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** The rules that a check is limited to, in axe's form. */
export interface AxeRules {
  readonly type: 'tag' | 'rule';
  readonly values: readonly string[];
}

/** The rules for WCAG 2.2 AA, as far as a tool can check it, and for good practice. */
export const allRules: AxeRules = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

interface Axe {
  run(options: object): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Returns the script that a page runs once before it runs {@link runAxe}. */
export function readAxe(): Promise<string> {
  return readFile(axeFile, 'utf8');
}

/** Runs in a page, which has no frames. @returns the violations that axe finds on it as it is now. */
export async function runAxe(runOnly: AxeRules): Promise<string[]> {
  // The script that was run before has made it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const axe = Reflect.get(window, 'axe') as Axe;
  const options = { runOnly, resultTypes: ['violations'], iframes: false };
  const { violations } = await axe.run(options);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
