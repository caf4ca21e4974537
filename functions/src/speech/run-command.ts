import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

/**
 * The memory of its own that a command may take, without its libraries. The index of an MP4 of some hundred bytes can
 * make ffmpeg take 2 GB; a recording takes less than 64 MiB.
 */
const maxMemoryKib = 192 * 1_024;

/**
 * Limits the command that follows. Where memory runs out nevertheless, Linux ends this command before the server. A
 * system without such limits ignores them.
 */
const limitedShell = [
  'echo 1000 >/proc/self/oom_score_adj',
  `ulimit -d ${maxMemoryKib}`,
  'exec "$0" "$@"',
].join('; ');

/** The shell's exit code for a command that it does not find. */
const notFoundCode = 127;

/** Threads would reserve 64 MiB each. */
const environment = { ...process.env, MALLOC_ARENA_MAX: '1' };

function startLimited(command: string, args: readonly string[]): ChildProcess {
  const options: SpawnOptions = { stdio: ['ignore', 'pipe', 'ignore'], env: environment };
  if (process.platform === 'win32') return spawn(command, args, options);
  return spawn('/bin/sh', ['-c', limitedShell, command, ...args], options);
}

/** `missing`: the command does not exist on this machine. */
export type CommandResult =
  | { readonly kind: 'ended'; readonly code: number | null; readonly output: Buffer }
  | { readonly kind: 'missing' };

/**
 * Runs a command with limited memory, and ignores its error output. Its arguments reach it as they are. Rejects with the
 * signal's reason once aborted. The command ends with this process, unless that is killed.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const child = startLimited(command, args);
    const stop = () => child.kill('SIGKILL');
    const output: Buffer[] = [];
    signal.addEventListener('abort', stop, { once: true });
    process.on('exit', stop);
    const forget = () => {
      signal.removeEventListener('abort', stop);
      process.off('exit', stop);
    };
    child.once('error', (error) => {
      forget();
      if ('code' in error && error.code === 'ENOENT') resolve({ kind: 'missing' });
      else reject(error);
    });
    child.once('close', (code) => {
      forget();
      if (signal.aborted) reject(signal.reason);
      else if (code === notFoundCode) resolve({ kind: 'missing' });
      else resolve({ kind: 'ended', code, output: Buffer.concat(output) });
    });
    // There is none if the process could not be started, which `error` tells.
    child.stdout?.on('data', (piece: Buffer) => output.push(piece));
  });
}
