import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { runMutants } from './run-mutants.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

it.each([
  ['--folder stroe', 'There is nothing to mutate in stroe.'],
  ['--folder store,./stroe/', 'There is nothing to mutate in stroe.'],
  ['--folder ./store/ --count none', /^0 of \d+ mutants/],
  ['--folder store --part 5/4', /^0 of \d+ mutants/],
])('a run that tries nothing does not pass: %s', async (args, sentence) => {
  const say = vi.fn<(line: string) => void>();
  expect(await runMutants(root, args.split(' '), say)).toBe(2);
  expect(say).toHaveBeenCalledWith(expect.stringMatching(sentence));
});
