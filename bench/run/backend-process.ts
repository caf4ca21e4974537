import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { deployedFlags } from '../../tests/support/built-app/deployed-files.ts';

/** The embedded backend as a process of its own, as built for `npm start`. */
export interface BackendProcess {
  readonly url: string;
  /** Milliseconds from the start of the process until it accepted connections. */
  readonly readyMs: number;
  memory(): Promise<Memory>;
  stop(): Promise<void>;
}

/** The memory of a process in megabytes. */
export interface Memory {
  readonly residentMb: number;
  /** Without the pages of files that it has mapped, such as its store; the system takes these back when it needs them. */
  readonly ownMb: number;
}

export interface BackendFolders {
  readonly dataDir: string;
  /** A built app to serve. */
  readonly staticDir?: string;
  /** Security rules in place of the app's own. */
  readonly firestoreRules?: string;
}

/** A server that does not stop within this time is stuck. */
const stopLimitMs = 30_000;

const root = new URL('../..', import.meta.url);

/** Reads the memory of a process from Linux, which reports it in kilobytes. */
async function memoryOf(pid: number): Promise<Memory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
  return { residentMb: megabytes('VmRSS'), ownMb: megabytes('RssAnon') };
}

export async function startBackend(folders: BackendFolders): Promise<BackendProcess> {
  const args = ['.cache/server/backend.js', '--port', '0', '--data', folders.dataDir];
  if (folders.staticDir !== undefined) args.push('--static', folders.staticDir);
  args.push(...deployedFlags);
  if (folders.firestoreRules !== undefined) args.push('--firestore-rules', folders.firestoreRules);
  const startMs = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /ready at (http:\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
      await exit;
      clearTimeout(late);
    };
    const readyMs = performance.now() - startMs;
    return { url, readyMs, memory: () => memoryOf(child.pid ?? 0), stop };
  }
  throw new Error('The backend did not start');
}
