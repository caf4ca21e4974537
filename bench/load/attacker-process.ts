import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Attacker {
  /** @returns how often it did what. */
  stop(): Promise<string>;
}

/** An attacker has a machine of its own, so what it computes must not take the processor of those that are measured. */
const lowPriority = 10;

/** All attacks at once, as a process of its own, until it is stopped. */
export async function startAttacker(port: number): Promise<Attacker> {
  const script = fileURLToPath(new URL('attacker.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.pid !== undefined) setPriority(child.pid, lowPriority);
  const exit = once(child, 'exit');
  let said = '';
  createInterface({ input: child.stdout }).on('line', (line) => (said = line));
  // It says so when its accounts and documents are there.
  await once(child.stdout, 'data');
  return {
    async stop() {
      child.kill('SIGKILL');
      await exit;
      return said;
    },
  };
}
