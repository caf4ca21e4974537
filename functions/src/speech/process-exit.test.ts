import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCommand } from './run-command.ts';
import { withScratchFile } from './scratch-file.ts';

/** Starts the work and then does what it does when the process exits. Returns what it has left to do at an exit, too. */
async function exitDuring<Result>(work: (exit: () => void) => Promise<Result>) {
  const before = new Set(process.listeners('exit'));
  const own = () => process.listeners('exit').filter((each) => !before.has(each));
  const result = await work(() => own().forEach((each) => each.call(process, 0)));
  return { result, left: own() };
}

it('a command that runs when the process exits is killed', async () => {
  const { signal } = new AbortController();
  const ended = await exitDuring((exit) => {
    const running = runCommand('sleep', ['600'], signal);
    exit();
    return running;
  });
  expect(ended).toEqual({ result: expect.objectContaining({ code: null }), left: [] });
});

it('a scratch file that is in use when the process exits is removed', async () => {
  const ended = await exitDuring((exit) =>
    withScratchFile(new Uint8Array([1]), async (file) => {
      const wasThere = existsSync(file);
      exit();
      return [wasThere, existsSync(file)];
    }),
  );
  expect(ended).toEqual({ result: [true, false], left: [] });
});
