import { spawn } from 'node:child_process';

/** `missing`: the command does not exist on this machine. */
export type CommandResult =
  | { readonly kind: 'ended'; readonly code: number | null; readonly output: Buffer }
  | { readonly kind: 'missing' };

/**
 * Runs a command without a shell, and ignores its error output. Rejects with the signal's reason once aborted. The command
 * ends with this process, unless that is killed.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const stop = () => child.kill('SIGKILL');
    const output: Buffer[] = [];
    signal.addEventListener('abort', stop, { once: true });
    process.on('exit', stop);
    const forget = () => {
      signal.removeEventListener('abort', stop);
      process.off('exit', stop);
    };
    child.stdout.on('data', (piece: Buffer) => output.push(piece));
    child.once('error', (error) => {
      forget();
      if ('code' in error && error.code === 'ENOENT') resolve({ kind: 'missing' });
      else reject(error);
    });
    child.once('close', (code) => {
      forget();
      if (signal.aborted) reject(signal.reason);
      else resolve({ kind: 'ended', code, output: Buffer.concat(output) });
    });
  });
}
