import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { deployedFlags } from '../../tests/support/deployed-files.ts';

/** The embedded backend as a process of its own, as `npm run backend` starts it. */
export interface BackendProcess {
  readonly url: string;
  stop(): Promise<void>;
}

export interface BackendFolders {
  readonly dataDir: string;
  /** A built app to serve. */
  readonly staticDir?: string;
}

const root = new URL('../..', import.meta.url);

export async function startBackend(folders: BackendFolders): Promise<BackendProcess> {
  const args = ['--import', 'tsx', 'backend/src/main.ts', '--port', '0', '--data', folders.dataDir];
  if (folders.staticDir !== undefined) args.push('--static', folders.staticDir);
  args.push(...deployedFlags);
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /ready at (http:\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    const stop = async (): Promise<void> => {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    };
    return { url, stop };
  }
  throw new Error('The backend did not start');
}
