import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCommandStage, runCommandHistory, type CommandStage } from './command-runner.ts';
import { crashSweeps, historiesOf } from './crash-sweeps.ts';

describe('a history of commands that is interrupted after each of its writes in turn', () => {
  let stage: CommandStage;

  beforeAll(async () => {
    stage = await openCommandStage();
  });

  afterAll(() => stage.dispose());

  it.each(Object.entries(crashSweeps))(
    'ends with nothing lost, orphaned, refused or pending when %s',
    { timeout: 300_000 },
    async (_title, sweep) => {
      const found: string[] = [];
      const crashes: number[] = [];
      for (const [writes, history] of historiesOf(sweep).entries()) {
        const swept = history.happenings.findLast((each) => 'crash' in each && each.crash !== null);
        const wrong = await runCommandHistory(stage, history, (interrupted) => {
          if (interrupted === swept) crashes.push(writes);
        });
        found.push(...wrong.map((what) => `after ${String(writes)} writes: ${what}`));
      }
      expect(found.join('\n')).toBe('');
      // The last history has no write left to interrupt.
      expect(crashes).toEqual(Array.from({ length: sweep.writes }, (_, writes) => writes));
    },
  );
});
