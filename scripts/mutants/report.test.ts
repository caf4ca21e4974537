import { describe, expect, it } from 'vitest';
import { changedLines, folderLines, isEnough, type Verdict } from './report.ts';

const verdict = (folder: string, outcome: Verdict['outcome']): Verdict => ({
  mutant: { file: `${folder}/a.ts`, line: 1, start: 0, end: 1, original: 'a', replacement: 'b' },
  outcome,
  by: '',
});

const several = (folder: string, outcome: Verdict['outcome'], count: number): Verdict[] =>
  Array.from({ length: count }, () => verdict(folder, outcome));

describe('the figures', () => {
  it('are those of each folder and of all, with the time limit said separately', () => {
    const verdicts = [
      ...several('store', 'caught', 2),
      ...several('store', 'timed out', 1),
      ...several('src/data', 'survived', 1),
    ];
    expect(folderLines(['store', 'src/data'], verdicts)).toEqual([
      'store: 3 of 3 caught (100.0 %), 1 of them by the time limit',
      'src/data: 0 of 1 caught (0.0 %), 0 of them by the time limit',
      'all: 3 of 4 caught (75.0 %), 1 of them by the time limit',
    ]);
  });

  it('are enough from 85 % in each folder', () => {
    const good = [...several('store', 'caught', 17), ...several('store', 'survived', 3)];
    expect(isEnough(['store'], good)).toBe(true);
    expect(isEnough(['store'], [...good, verdict('store', 'survived')])).toBe(false);
    const bad = verdict('src/data', 'survived');
    expect(isEnough(['store', 'src/data'], [...several('store', 'caught', 90), bad])).toBe(false);
  });
});

it('the lines of a mutant are shown as they are and as they become', () => {
  const text = 'one\ntwo {\nthree }\nfour';
  const mutant = { file: 'a.ts', line: 2, start: 8, end: 17, original: '', replacement: '{}' };
  expect(changedLines(mutant, text)).toBe('  - two {\n  - three }\n  + two {}');
});
