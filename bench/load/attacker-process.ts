import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

export interface Attacker {
  stop(): Promise<void>;
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
  // It says so when its accounts and documents are there.
  await once(child.stdout, 'data');
  child.stdout.resume();
  return {
    async stop() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
