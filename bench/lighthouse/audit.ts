import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import lighthouse from 'lighthouse';

export const categories = ['performance', 'accessibility', 'best-practices'] as const;

/** Out of 100. */
export type Scores = Readonly<Record<(typeof categories)[number], number>>;

export interface AuditOptions {
  /** The debugging port of the browser. */
  readonly port: number;
  /** If false, the page is audited as at a first visit. */
  readonly keepsStorage: boolean;
}

/** Arguments for a browser that Lighthouse drives; the browser chooses a free port. */
export const debuggingArgs: readonly string[] = ['--remote-debugging-port=0'];

/** Returns the port, which the browser writes to a file in its profile. */
export async function debuggingPort(profile: string): Promise<number> {
  const text = await readFile(join(profile, 'DevToolsActivePort'), 'utf8');
  return Number(text.split('\n', 1)[0]);
}

/** Runs one audit with Lighthouse's defaults: a phone, four times slower than this machine, on a slow network. */
export async function audit(url: string, { port, keepsStorage }: AuditOptions): Promise<Scores> {
  const run = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: [...categories],
    disableStorageReset: keepsStorage,
  });
  if (run === undefined) throw new Error('Lighthouse audited nothing');
  const { runtimeError, categories: found } = run.lhr;
  if (runtimeError !== undefined) throw new Error(`Lighthouse: ${runtimeError.message}`);
  const scoreOf = (category: (typeof categories)[number]): number => {
    const score = found[category]?.score;
    if (typeof score !== 'number') throw new Error(`Lighthouse has no score for ${category}`);
    return Math.round(100 * score);
  };
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
  };
}
