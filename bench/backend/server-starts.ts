import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { amount, type Measurement } from '../measurement.ts';
import { say } from '../run/progress.ts';
import { withTempFolder } from '../run/temp-folder.ts';

const root = new URL('../..', import.meta.url);
const rounds = 5;

/** Returns milliseconds from the end of the builds of `npm start` until the server accepted connections. */
async function measureStart(dataDir: string): Promise<number> {
  const startMs = performance.now();
  const child = spawn(process.execPath, ['scripts/serve/serve-built.mjs'], {
    cwd: root,
    env: { ...process.env, PORT: '0', PAWPALS_DATA: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let readyMs = NaN;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('PawPals is ready')) continue;
    readyMs = performance.now() - startMs;
    child.kill('SIGTERM');
  }
  await exit;
  return readyMs;
}

/** Measures starts. The first start creates the demo owner; the second one finds it. */
export function benchServerStarts(): Promise<Measurement[]> {
  say('backend: starts of npm start');
  return withTempFolder(async (folder) => {
    const first: number[] = [];
    const second: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const dataDir = join(folder, `data-${round}`);
      first.push(await measureStart(dataDir));
      second.push(await measureStart(dataDir));
    }
    return [
      amount(
        { id: 'start-empty', name: '`npm start` on an empty folder, after the build', unit: 'ms' },
        first,
      ),
      amount({ id: 'start-demo', name: 'the same with the demo owner', unit: 'ms' }, second),
    ];
  });
}
