import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Attacker {
  /** @returns a summary of its attacks. */
  stop(): Promise<string>;
}

/**
 * An attacker has a machine of its own, so its computation must not take processor time from the measured processes.
 */
const lowPriority = 10;

/** Starts all attacks at once in a separate process, until it is stopped. */
export async function startAttacker(port: number): Promise<Attacker> {
  const script = fileURLToPath(new URL('attacker.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.pid !== undefined) setPriority(child.pid, lowPriority);
  const exit = once(child, 'exit');
  let said = '';
  createInterface({ input: child.stdout }).on('line', (line) => (said = line));
  // It prints a line when its accounts and documents exist.
  await once(child.stdout, 'data');
  return {
    async stop() {
      child.kill('SIGKILL');
      await exit;
      return said;
    },
  };
}
