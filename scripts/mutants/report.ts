import { applyMutant, type Mutant } from './place-mutants.ts';

export interface Verdict {
  readonly mutant: Mutant;
  readonly outcome: 'caught' | 'timed out' | 'survived';
  /** The test that failed. */
  readonly by: string;
}

/** The share of mutants that the tests of each folder have to catch. */
const aim = 0.85;

/** @param folder a folder or a file, without a slash at its end. */
export const isInside = (folder: string, { file }: Mutant): boolean =>
  `${file}/`.startsWith(`${folder}/`);

const inFolder = (folder: string, verdicts: readonly Verdict[]): Verdict[] =>
  verdicts.filter(({ mutant }) => isInside(folder, mutant));

const caughtOf = (verdicts: readonly Verdict[]): number =>
  verdicts.filter(({ outcome }) => outcome !== 'survived').length;

function shareLine(name: string, verdicts: readonly Verdict[]): string {
  const caught = caughtOf(verdicts);
  const timedOut = verdicts.filter(({ outcome }) => outcome === 'timed out').length;
  const percent = ((caught / Math.max(verdicts.length, 1)) * 100).toFixed(1);
  return `${name}: ${caught} of ${verdicts.length} caught (${percent} %), ${timedOut} of them by the time limit`;
}

export const folderLines = (folders: readonly string[], verdicts: readonly Verdict[]): string[] => [
  ...folders.map((folder) => shareLine(folder, inFolder(folder, verdicts))),
  shareLine('all', verdicts),
];

/** Whether the tests of every folder catch enough; a folder without a mutant does. */
export const isEnough = (folders: readonly string[], verdicts: readonly Verdict[]): boolean =>
  folders.every((folder) => {
    const own = inFolder(folder, verdicts);
    return caughtOf(own) >= own.length * aim;
  });

const signed = (sign: string, lines: string): string[] =>
  lines.split('\n').map((line) => `  ${sign} ${line}`);

/** Returns the lines that the mutant changes, as they are and as they become. */
export function changedLines(mutant: Mutant, text: string): string {
  const from = text.lastIndexOf('\n', mutant.start - 1) + 1;
  const next = text.indexOf('\n', mutant.end);
  const to = next === -1 ? text.length : next;
  const mutated = applyMutant(text, mutant);
  const changed = mutated.slice(from, to + mutated.length - text.length);
  return [...signed('-', text.slice(from, to)), ...signed('+', changed)].join('\n');
}
