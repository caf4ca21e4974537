import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { inject, onTestFinished } from 'vitest';
import { openRules, ownersRules, petFilesRules } from '../rules-fixture.ts';

const servers = inject('builtFiles');

export interface BackendProcess {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** The exit code, or the signal it died of. */
  readonly exit: Promise<number | string>;
  /** The port it announced; rejects when it exits instead. */
  readonly port: Promise<number>;
}

/**
 * The command line as a process of its own, killed when the test ends.
 * @param confine a shell command that limits the process, such as `ulimit`.
 */
export function spawnBackend(args: readonly string[], confine?: string): BackendProcess {
  const rules = ['--firestore-rules', ownersRules, '--storage-rules', petFilesRules];
  // The last of a flag that is given twice counts.
  return spawnScript(servers.main, [...rules, ...args], confine);
}

/** The backend under the open rules, as a process of its own. */
export const spawnOpenBackend = (dataDir: string, staticDir?: string): BackendProcess =>
  spawnScript(servers.open, [openRules, dataDir, ...(staticDir === undefined ? [] : [staticDir])]);

function spawnScript(script: string, args: readonly string[], confine = ':'): BackendProcess {
  const command = [process.execPath, script, ...args];
  const child = spawn('bash', ['-c', `${confine}; exec "$@"`, 'bash', ...command]);
  const output = { stdout: '', stderr: '' };
  const exit = once(child, 'exit').then(([code, signal]: unknown[]) =>
    typeof code === 'number' ? code : String(signal),
  );
  const port = new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output.stdout += chunk.toString();
      const found = /^Backend is ready at http:\/\/localhost:(\d+)\n/m.exec(output.stdout)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    exit.then((code) => reject(new Error(`exited with ${code}: ${output.stderr}`)), reject);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  // A test that expects the process to refuse does not wait for its port.
  port.catch(() => undefined);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { child, output, exit, port };
}
